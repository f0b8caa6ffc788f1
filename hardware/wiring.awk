# SPDX-License-Identifier: GPL-3.0-or-later
# The wiring from wiring.csv: awk -f wiring.awk -v as=svg|table wiring.csv
# Values are computed here: a LED's resistor from (5 V - forward voltage) / current, the next larger
# of the E12 row; the accelerometer's bandwidth from its inner 32 kOhm and the capacitor.
function e12(ohm,    row, n, i, decade) {
    n = split("10 12 15 18 22 27 33 39 47 56 68 82 100", row, " ")
    for (decade = 0.1; decade < 1e7; decade *= 10)
        for (i = 1; i < n; i++)
            if (row[i] * decade >= ohm * 0.999) return row[i] * decade
}
function plain(part,    v) {
    if (match(part, /^led\(/)) {
        split(substr(part, 5, length(part) - 5), v, ",")
        return e12((5 - v[1]) / v[2] * 1000) " Ohm"
    }
    if (match(part, /^filter\(/)) {
        v[1] = substr(part, 8, length(part) - 8)
        return v[1] " nF to GND at the module: " sprintf("%.1f", 1 / (2 * 3.14159265 * 32e3 * v[1] * 1e-9) / 1000) " kHz"
    }
    return part
}
function text(x, y, anchor, size, weight, fill, s) {
    gsub(/Ohm/, "\\&#937;", s)
    gsub(/ u/, " \\&#181;", s)
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"%d\" font-weight=\"%s\" fill=\"%s\">%s</text>\n", x, y, anchor, size, weight, fill, s
}
function pin(uno, mega) { return uno == mega ? uno : uno " / " mega }
function wire(i,    y, label, on_board) {
    y = top[i]
    on_board = uno[i] !~ /supply|driver/
    if (on_board) {
        printf "<circle cx=\"200\" cy=\"%d\" r=\"4\" fill=\"%s\"/>\n", y, colour[i]
        text(190, y + 5, "end", 14, "bold", "#f4f4f4", pin(uno[i], mega[i]))
    } else {
        text(212, y + 5, "start", 13, "normal", "#222222", uno[i])
    }
    printf "<line x1=\"%d\" y1=\"%d\" x2=\"640\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2.5\"/>\n", on_board ? 200 : 212 + 8 * length(uno[i]), y, y, colour[i]
    if (part[i] != "") {
        label = plain(part[i])
        printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"20\" rx=\"3\" fill=\"#ffffff\" stroke=\"%s\"/>\n", 420 - length(label) * 3.8 - 8, y - 10, length(label) * 7.6 + 16, colour[i]
        text(420, y + 5, "middle", 13, "normal", "#222222", label)
    }
    printf "<circle cx=\"640\" cy=\"%d\" r=\"4\" fill=\"%s\"/>\n", y, colour[i]
    text(652, y + 5, "start", 14, "normal", "#222222", terminal[i])
}
function box(first, last) {
    printf "<rect x=\"640\" y=\"%d\" width=\"330\" height=\"%d\" rx=\"6\" fill=\"#f2f4f5\" stroke=\"#7f8c8d\"/>\n", top[first] - 38, top[last] - top[first] + 54
    text(960, top[first] - 19, "end", 14, "bold", "#222222", device[first])
}
function svg(    i, y, first) {
    y = 70
    for (i = 1; i <= n; i++) {
        if (i > 1 && device[i] != device[i - 1]) y += 40
        top[i] = y
        y += 26
    }
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 %d\" width=\"1000\" height=\"%d\" font-family=\"DejaVu Sans, Arial, sans-serif\">\n", y + 10, y + 10
    print "<title>Wiring of the rig: pins of the Uno / the Mega, what stands in each wire, and where it ends</title>"
    printf "<rect width=\"1000\" height=\"%d\" fill=\"#ffffff\"/>\n", y + 10
    printf "<rect x=\"30\" y=\"20\" width=\"170\" height=\"%d\" rx=\"10\" fill=\"#17616b\"/>\n", y - 20
    text(115, 46, "middle", 15, "bold", "#ffffff", "Uno / Mega")
    for (i = 1; i <= n; i++)
        if (i == 1 || device[i] != device[i - 1]) {
            for (first = i; i < n && device[i + 1] == device[first]; i++) continue
            box(first, i)
        }
    for (i = 1; i <= n; i++) wire(i)
    print "</svg>"
}
function table(    i) {
    print "| from the board: Uno | Mega | through | to | terminal |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= n; i++)
        printf "| %s | %s | %s | %s | %s |\n", uno[i], mega[i], plain(part[i]), device[i], terminal[i]
}
BEGIN { FS = ";" }
/^#/ || /^device;/ { next }
NF != 7 { print FILENAME ":" FNR ": seven fields, not " NF > "/dev/stderr"; bad = 1; exit 1 }
{ n++; device[n] = $1; terminal[n] = $2; part[n] = $3; uno[n] = $4; mega[n] = $5; colour[n] = $7 }
END {
    if (bad) exit 1
    if (as == "svg") svg()
    else if (as == "table") table()
    else { print "wiring.awk: -v as=svg or -v as=table" > "/dev/stderr"; exit 2 }
}
