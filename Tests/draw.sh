#!/bin/sh
# draw.sh WIDTH HEIGHT disc|flat: draws a JPEG to standard output: a red disc in front of a calm background, or only the
# background.
set -eu
awk -v width="$1" -v height="$2" -v what="$3" 'BEGIN {
    print "P3", width, height, 255
    reach = 0.3 * (width < height ? width : height)
    for (y = 0; y < height; y++) {
        shade = int(120 + 80 * y / height)
        background = " " shade - 40 " " shade " " shade + 20
        # Half the width of the disc in this row, and of its inside within the dark rim.
        down = y + 0.5 - height / 2
        outer = what == "disc" && down * down < reach * reach ? sqrt(reach * reach - down * down) : 0
        inner = outer > 0 && down * down < 0.81 * reach * reach ? sqrt(0.81 * reach * reach - down * down) : 0
        line = ""
        for (x = 0; x < width; x++) {
            across = x + 0.5 - width / 2
            if (across < 0) across = -across
            line = line (across < inner ? " 220 40 30" : across < outer ? " 60 10 10" : background)
        }
        print line
    }
}' | cjpeg -quality 90
