// SPDX-License-Identifier: GPL-3.0-or-later
package android.os;

public final class Bundle {}
