# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f bom.awk bom.csv: the bill of materials as a table for README.md.
BEGIN { FS = ";"; print "| for | what | how many | price | look for | or instead |"; print "|---|---|---|---|---|---|" }
/^#/ || /^tier;/ { next }
NF != 6 || $1 !~ /^[ABCD]$/ { print FILENAME ":" FNR ": not tier;what;quantity;price;look for;instead" > "/dev/stderr"; exit 1 }
{ printf "| %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6 }
