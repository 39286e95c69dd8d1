/** The current time as an argument: services pass the system's clock, tests one that they move by hand. */
export interface Clock {
  /** Milliseconds since the UNIX epoch. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
