import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { ChannelFolder, limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form, id } from '../../endpoint/endpoint.ts';
import { description } from './params.ts';

export const channelFolderRoutes = [
  endpoint({
    method: 'GET',
    path: '/channel_folders',
    summary: "Lists the organization's channel folders in their order.",
    since: 389,
    errors: [],
    params: { include_archived: form.bool().default(false) },
    returns: { channel_folders: z.array(ChannelFolder) },
    async handle({ realm, params, snapshot }) {
      const folders = await snapshot((tx) => model.channelFolders.channelFoldersState(tx, realm.id));
      return {
        channel_folders: folders.filter((folder) => params.include_archived || !folder.is_archived),
      };
    },
  }),

  endpoint({
    method: 'POST',
    path: '/channel_folders/create',
    summary: 'Creates a channel folder, which comes last in the order.',
    since: 389,
    errors: [],
    requires: ['administrator'],
    params: { name: form.text(), description },
    returns: { channel_folder_id: z.int() },
    async handle({ actor, params, perform }) {
      const input = {
        name: params.name,
        description: params.description,
      };
      const { folder } = await perform(actions.channelFolders.create, { actor, ...input });
      return { channel_folder_id: folder.id };
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/channel_folders',
    summary: 'Puts all channel folders into a new order.',
    since: 414,
    errors: [],
    requires: ['administrator'],
    params: { order: form.json(z.array(id).max(limits.channelFoldersPerRealm)) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.channelFolders.reorder, { actor, order: params.order });
      return {};
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/channel_folders/:channel_folder_id',
    summary: 'Renames, describes, archives or restores a channel folder.',
    since: 389,
    errors: [],
    requires: ['administrator'],
    params: {
      channel_folder_id: form.id(),
      name: form.text().optional(),
      description: description.optional(),
      is_archived: form.bool().optional(),
    },
    returns: {},
    async handle({ actor, params, perform }) {
      const input = {
        id: params.channel_folder_id,
        name: params.name,
        description: params.description,
        isArchived: params.is_archived,
      };
      await perform(actions.channelFolders.edit, { actor, ...input });
      return {};
    },
  }),
];
