/** The longest time that the event loop was not free, in ms. */
export interface LongestTurn {
  /** By the clock: other programs that want the processor count, too. */
  readonly wallMs: number
  /** Of the thread's own CPU time: what the program itself is to blame for, if it does not wait for a disk. */
  readonly cpuMs: number
}

/** Looks every millisecond, from now on, how long the loop was busy since the last look. */
export function watchTurns(): { take(): LongestTurn } {
  let [wallMs, cpuMs] = [0, 0]
  let [wall, cpu] = [performance.now(), cpuTime()]
  const look = (): void => {
    const [nowWall, nowCpu] = [performance.now(), cpuTime()]
    wallMs = Math.max(wallMs, nowWall - wall - 1)
    cpuMs = Math.max(cpuMs, nowCpu - cpu)
    ;[wall, cpu] = [nowWall, nowCpu]
  }
  setInterval(look, 1)
  return {
    take() {
      look()
      const longest = { wallMs, cpuMs }
      ;[wallMs, cpuMs] = [0, 0]
      return longest
    },
  }
}

function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
