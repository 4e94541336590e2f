# What stickerd does on every system: the results are compared. Paths are relative to the working folder.

# An emulated processor takes minutes for a photo.
export STICKERD_LIMITS_SECONDS_PER_PHOTO=600
timeout 1200 stickerd make photos -o results/png > results/make-log 2>&1
timeout 1200 stickerd make photos --set sticker.format=webp -o results/webp > results/make-webp-log 2>&1
timeout 1200 stickerd mask photos/baseline.jpg --model model.safetensors -o results/mask > results/mask-log 2>&1

mkdir -p work/inbox
stickerd run --inbox work/inbox --outbox work/outbox --state work/state > results/run-log 2>&1 &
daemon=$!
cp photos/progressive.jpg work/inbox/
# Published files are complete. If the photo fails, no sticker comes.
until [ -e work/outbox/progressive-*.png ] || grep -q '"failed":\[{' work/outbox/pack.json 2> /dev/null; do
    sleep 1
done
for process in /proc/[0-9]*; do
    [ "$(tr '\0' ' ' < "$process/cmdline")" != 'stickerd worker ' ] || grep Seccomp: "$process/status"
done > results/filters 2> /dev/null
kill $daemon
wait $daemon
echo "$?" > results/run-status
cp -r work/outbox results/outbox
