import { ApiError } from '@parley/protocol';

/** The error of a channel name that another channel has. */
export const channelNameTaken = (name: string) =>
  new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name });
