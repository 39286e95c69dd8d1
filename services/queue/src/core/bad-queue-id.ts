import { ApiError } from '@parley/protocol';

export const badQueueId = (queueId: string) =>
  new ApiError(
    'BAD_EVENT_QUEUE_ID',
    `There is no event queue with the id '${queueId}'. Register a new one.`,
    { queue_id: queueId },
  );
