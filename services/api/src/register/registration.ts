import type * as model from '@parley/model';
import type { Client } from '@parley/protocol';

/** The queue and the state that a client asks for. */
export interface Registration {
  client: Client;
  /** The event types that the queue delivers; null stands for all. */
  eventTypes: string[] | null;
  /** The types whose state is in the reply; null stands for all. */
  fetchTypes: string[] | null;
  narrow: [string, string][];
  allPublicStreams: boolean;
  includeSubscribers: model.channels.IncludeSubscribers;
  idleSeconds: number;
  /** The reply has the presence of users who were active in so many days; 14 by default. */
  presenceHistoryDays?: number | undefined;
}
