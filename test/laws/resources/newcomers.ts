import { succeed } from '../../support/index.ts';
import type { Fixture } from '../fixtures/access.ts';
import { type Table, ofAdministrators } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

async function makeDefaultGroup({ owner }: Fixture, name: string): Promise<number> {
  await succeed(
    owner.post('/default_stream_groups/create', { group_name: name, description: '', stream_names: [] }),
  );
  const { realm_default_stream_groups: groups } = await owner.post('/register', {
    fetch_event_types: ['default_stream_groups'],
  });
  return groups.find((group: { name: string }) => group.name === name).id;
}

/** The channels that newcomers start with. */
export const access: Table = {
  'POST /default_streams': ofAdministrators('a public channel', ({ publicId }) => ({ stream_id: publicId })),
  'DELETE /default_streams': ofAdministrators('a public channel', ({ publicId }) => ({
    stream_id: publicId,
  })),
  'POST /default_stream_groups/create': ofAdministrators(
    'the organization’s',
    (_, caller) => ({ group_name: `of ${caller}`, description: '', stream_names: [] }),
    'ok',
  ),
  'PATCH /default_stream_groups/:group_id': ofAdministrators('the organization’s', async (here, caller) => ({
    group_id: await makeDefaultGroup(here, `renamed by ${caller}`),
    new_description: 'x',
  })),
  'DELETE /default_stream_groups/:group_id': ofAdministrators('the organization’s', async (here, caller) => ({
    group_id: await makeDefaultGroup(here, `removed by ${caller}`),
  })),
  'PATCH /default_stream_groups/:group_id/streams': ofAdministrators(
    'the organization’s',
    async (here, caller) => ({
      group_id: await makeDefaultGroup(here, `filled by ${caller}`),
      op: 'add',
      stream_names: [],
    }),
  ),
};

export const requests: Requests = {
  'POST /default_streams': ({ channelId }) => ({ stream_id: String(channelId) }),
  'DELETE /default_streams': ({ channelId }) => ({ stream_id: String(channelId) }),
  'POST /default_stream_groups/create': ({ channelName }) => ({
    group_name: 'Another',
    description: 'x',
    stream_names: JSON.stringify([channelName]),
  }),
  'PATCH /default_stream_groups/:group_id': ({ defaultGroupId }) => ({
    group_id: String(defaultGroupId),
    new_description: 'x',
  }),
  'DELETE /default_stream_groups/:group_id': ({ defaultGroupId }) => ({ group_id: String(defaultGroupId) }),
  'PATCH /default_stream_groups/:group_id/streams': ({ defaultGroupId, channelName }) => ({
    group_id: String(defaultGroupId),
    op: 'add',
    stream_names: JSON.stringify([channelName]),
  }),
};
