import { succeed } from '../../support/index.ts';
import type { Fixture } from '../fixtures/access.ts';
import { type Table, ofAdministrators, own } from '../fixtures/cases.ts';
import type { Requests } from '../fixtures/endpoints.ts';

const template = 'https://ex.org/{n}';
const patternOf = (what: string) => `${what}-(?P<n>[0-9]+)`;

const makeLinkifier = async ({ owner }: Fixture, what: string) =>
  (await succeed(owner.post('/realm/filters', { pattern: patternOf(what), url_template: template })))['id'];

const playground = (name: string) => ({
  name,
  pygments_language: 'Python',
  url_template: 'https://ex.org/{code}',
});

/** What the organization makes of texts. */
export const access: Table = {
  'GET /realm/linkifiers': own(),
  'PATCH /realm/linkifiers': ofAdministrators('the organization’s', async (here, caller) => {
    await makeLinkifier(here, `ordered by ${caller}`);
    const { linkifiers: list } = await here.owner.get('/realm/linkifiers');
    return { ordered_linkifier_ids: list.map(({ id }: { id: number }) => id) };
  }),
  'POST /realm/filters': ofAdministrators(
    'the organization’s',
    (_, caller) => ({ pattern: patternOf(caller), url_template: template }),
    'ok',
  ),
  'PATCH /realm/filters/:filter_id': ofAdministrators('the organization’s', async (here, caller) => ({
    filter_id: await makeLinkifier(here, `changed by ${caller}`),
    pattern: patternOf(`by ${caller}`),
    url_template: template,
  })),
  'DELETE /realm/filters/:filter_id': ofAdministrators('the organization’s', async (here, caller) => ({
    filter_id: await makeLinkifier(here, `removed by ${caller}`),
  })),
  'POST /realm/playgrounds': ofAdministrators(
    'the organization’s',
    (_, caller) => playground(`of ${caller}`),
    'ok',
  ),
  'DELETE /realm/playgrounds/:playground_id': ofAdministrators(
    'the organization’s',
    async ({ owner }, caller) => ({
      playground_id: (await succeed(owner.post('/realm/playgrounds', playground(`for ${caller}`))))['id'],
    }),
  ),
};

export const requests: Requests = {
  'GET /realm/linkifiers': () => ({}),
  'PATCH /realm/linkifiers': ({ linkifierId }) => ({ ordered_linkifier_ids: `[${linkifierId}]` }),
  'POST /realm/filters': () => ({
    pattern: `${Math.random()}(?P<n>x)`.replace('.', ''),
    url_template: 'https://ex.org/{n}',
  }),
  'PATCH /realm/filters/:filter_id': ({ linkifierId }) => ({
    filter_id: String(linkifierId),
    pattern: 'wiki',
    url_template: 'https://ex.org/wiki',
  }),
  'DELETE /realm/filters/:filter_id': ({ linkifierId }) => ({ filter_id: String(linkifierId) }),
  'POST /realm/playgrounds': () => ({
    name: `P ${Math.random()}`,
    pygments_language: 'Python',
    url_template: 'https://ex.org/{code}',
  }),
  'DELETE /realm/playgrounds/:playground_id': ({ playgroundId }) => ({
    playground_id: String(playgroundId),
  }),
};
