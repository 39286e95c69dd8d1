import * as actions from '@parley/actions';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../../endpoint/endpoint.ts';
import { description as descriptionParam, newChannelParams, readNewChannel } from './params.ts';

export const createChannelRoute = endpoint({
  method: 'POST',
  path: '/channels/create',
  summary: 'Creates one channel and subscribes the given users to it.',
  since: 417,
  errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL'],
  requires: ['member'],
  isLong: true,
  params: {
    name: form.text(),
    subscribers: form.json(z.array(id).max(limits.principalsPerRequest)),
    description: descriptionParam.default(''),
    announce: form.bool().default(false),
    ...newChannelParams,
  },
  returns: { id: z.int() },
  async handle({ actor, params, perform }) {
    const { name, description, subscribers, announce } = params;
    const channel = { ...readNewChannel(params), name, description };
    const input = { channel, subscribers, isAnnounced: announce };
    const { channel: created } = await perform(actions.channels.create, { actor, ...input });
    return { id: created.id };
  },
});
