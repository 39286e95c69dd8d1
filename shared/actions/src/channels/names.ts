import { ApiError } from '@parley/protocol';

/** Returns the error of a channel name that another channel has. */
export const channelNameTaken = (name: string) =>
  new ApiError('CHANNEL_ALREADY_EXISTS', `There is already a channel called '${name}'.`, {
    channel_name: name,
  });
