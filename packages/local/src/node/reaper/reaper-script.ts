import { ENGINE_MARK } from '../process/marked-processes.ts'

/**
 * What the reaper runs (POSIX sh; `$1` the engine's mark, `$2` a folder to remove or nothing). It reads `+ GROUP` and
 * `- GROUP` until its input ends, which happens however the engine ends. Then it kills the groups that are left and
 * every process that carries the mark, again and again until there is none: a process may fork while it is looked for.
 */
export const REAPER_SCRIPT: string = `
trap '' HUP INT TERM
groups=' '
while read -r op group; do
  case $op in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
    q) exit 0 ;;
  esac
done
round=0
while [ $round -lt 100 ]; do
  left=
  for group in $groups; do
    kill -KILL -"$group" 2>/dev/null && left=1
  done
  if [ -r /proc/self/environ ]; then
    for file in $(grep -slF "${ENGINE_MARK}=$1" /proc/[0-9]*/environ 2>/dev/null); do
      pid=\${file#/proc/}
      kill -KILL "\${pid%/environ}" 2>/dev/null && left=1
    done
  fi
  [ -z "$left" ] && break
  round=$((round + 1))
  sleep 0.02 2>/dev/null || sleep 1
done
[ -n "$2" ] && rm -rf -- "$2"
`
