/** Time as an argument: services pass the system's, tests move their own by hand. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
