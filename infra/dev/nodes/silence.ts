import { readFileSync } from 'node:fs';

/** With the check that is not answered, this makes two seconds at two checks a second. */
const idleChecksMax = 3;
/** How much processor time a node may spend on something else. On a machine that does much else, that takes longer. */
const busySecondsMax = 8;
/** Whoever neither sleeps nor spends that much has a minute. */
const checksMax = 120;
/** The unit of Linux's accounts of processor time, everywhere. */
const ticksPerSecond = 100;

interface Activity {
  /** Processor time of the event loop's thread. */
  cpuSeconds: number;
  /** It waits neither for a processor nor for a disk. Where the system does not say, it counts as asleep. */
  sleeps: boolean;
}

/** The time for which a process has not answered, and what it did meanwhile. */
export class Silence {
  readonly pid: number | undefined;
  /** How many checks there were, the one that is not answered included. */
  checks = 1;
  private readonly secondsMax: number;
  private idleChecks = 0;
  private busySeconds = 0;
  private before: Activity;

  constructor(pid: number | undefined, secondsMax = busySecondsMax) {
    this.pid = pid;
    this.secondsMax = secondsMax;
    this.before = activityOf(pid);
  }

  /**
   * Notes a further check without an answer. Returns true once the process hangs.
   *
   * @param wasHeldUp whoever checks was held up itself since the last check
   */
  goesOn(wasHeldUp = false): boolean {
    const now = activityOf(this.pid);
    const seconds = now.cpuSeconds - this.before.cpuSeconds;
    this.before = now;
    // Whoever was held up has not read answers yet, and knows nothing of what came before.
    this.checks = wasHeldUp ? 1 : this.checks + 1;
    this.busySeconds = wasHeldUp ? 0 : this.busySeconds + seconds;
    this.idleChecks = !wasHeldUp && now.sleeps && seconds === 0 ? this.idleChecks + 1 : 0;
    return (
      this.idleChecks >= idleChecksMax || this.busySeconds >= this.secondsMax || this.checks >= checksMax
    );
  }
}

/** What the thread of a process's event loop does. */
function activityOf(pid: number | undefined): Activity {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces.
    const [state = '', ...numbers] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(numbers[10]) + Number(numbers[11]);
    return { cpuSeconds: ticks / ticksPerSecond, sleeps: !'RD'.includes(state) };
  } catch {
    return { cpuSeconds: 0, sleeps: true };
  }
}
