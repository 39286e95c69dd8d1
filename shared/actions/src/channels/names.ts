import { ApiError } from '@parley/protocol';

export const channelNameTaken = (name: string) =>
  new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name });
