/** What the hub is started with: its population, since it asks nobody. */
export interface HubOrders {
  queues: { id: string; userId: number }[];
  channels: { id: number; members: number[] }[];
  /** The ids of channels by their ids and by their names: people ask for either. Of names that several have, one. */
  idOf: Record<string, number>;
  /** What a message has besides its text, as Parley sends it. */
  pattern: object;
}

/** What the hub says when it is ready. */
export interface HubReport {
  port: number;
}
