import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import type { PageTexts } from '@parley/strings';
import { html, raw } from 'hono/html';

import { form } from '../endpoint/endpoint.ts';
import { pageEndpoint } from '../endpoint/page.ts';
import type { Html } from '../http/page.ts';
import { integrations } from '../integrations/index.ts';
import type { Integration } from '../integrations/integration.ts';
import { deliveryOf } from '../integrations/sample.ts';

type Text = PageTexts['integrations'];

const path = '/integrations';
const title = ({ integrations: text }: PageTexts) => text.title;
const fields = ['code', 'alerts', 'work', 'anything'] as const;

const group = (field: (typeof fields)[number], text: Text): Html => {
  const own = integrations.filter((one) => one.field === field);
  const links = own
    .toSorted((one, other) => one.displayName.localeCompare(other.displayName, 'en'))
    .map(({ name, displayName }) => html`<li><a href="${path}/${name}">${displayName}</a></li>`);
  return html`<h2>${text[field]}</h2>
    <ul class="grid">
      ${links}
    </ul>`;
};

/** Pages show no pictures: an emoji is the character that it is called by. */
const withCharacters = (rendered: string) =>
  rendered.replaceAll(/(class="emoji emoji-([\da-f-]+)"[^>]*>)[^<]*/g, (_, tag: string, code: string) => {
    const points = code.split('-').map((point) => Number.parseInt(point, 16));
    return `${tag}${String.fromCodePoint(...points)}`;
  });

/** The message that tells of the first sample, as it is shown. */
async function picture(integration: Integration, { url }: Realm, text: Text): Promise<Html> {
  const [sample] = Object.values(integration.samples);
  const notice = sample && integration.read(deliveryOf(integration, sample));
  if (!notice || 'unsupported' in notice)
    throw new Error(`${integration.name} has no sample that is told of.`);
  const rendered = await model.texts.renderExample(notice.content, url);
  return html`<h2>${text.looks}</h2>
    <figure class="looks" lang="en" dir="ltr">
      <div class="topic">${notice.topic}</div>
      ${raw(withCharacters(rendered))}
    </figure>`;
}

function steps({ name, displayName, where, body, options }: Integration, { url }: Realm, text: Text): Html {
  const more = Object.keys(options ?? {}).map((option) => `&${option}=…`);
  return html`<h2>${text.steps}</h2>
    <ol>
      <li>${text.bot}</li>
      <li>${text.open(displayName)} <span lang="en" dir="ltr">${where}</span></li>
      <li>
        ${text.paste}
        <pre dir="ltr">${url}/api/v1/external/${name}?api_key=…&stream=…${more.join('')}</pre>
        ${
          body !== undefined &&
          html`${text.body}
            <pre dir="ltr">${body}</pre>`
        }
      </li>
    </ol>`;
}

const secret = ({ displayName, signature }: Integration, { url }: Realm, text: Text) =>
  signature &&
  html`<p>${text.signed(displayName)}</p>
    <pre dir="ltr">PATCH ${url}/api/v1/bots/…  config_data={"secret": "…"}</pre>`;

function eventList({ events, samples }: Integration, text: Text) {
  const [first = ''] = Object.values(samples)[0] ?? [];
  if (Object.keys(events).length === 1) return '';
  const rows = Object.entries(events).map(
    ([name, { description }]) =>
      html`<dt><code>${name}</code></dt>
        <dd>${description}</dd>`,
  );
  return html`<h2>${text.events}</h2>
    <p>${text.choose}</p>
    <pre dir="ltr">
&only_events=["${first}"]
&exclude_events=["${first}"]</pre>
    <dl lang="en" dir="ltr">${rows}</dl>`;
}

/** The pages of the products that can send here: all of them, and each with what it takes to set it up. */
export const integrationPages = [
  pageEndpoint({
    method: 'GET',
    path,
    title,
    summary: 'Shows the products that can send messages.',
    errors: [],
    params: {},
    handle: ({ text: { integrations: text } }) =>
      Promise.resolve({
        title: text.title,
        content: html`<p class="wide">${text.intro}</p>
          ${fields.map((field) => group(field, text))}`,
      }),
  }),

  pageEndpoint({
    method: 'GET',
    path: `${path}/:name`,
    title,
    summary: 'Shows how a product is set up to send messages, and what they look like.',
    errors: ['NOT_FOUND'],
    params: { name: form.line(100) },
    async handle({ params, realm, text: { integrations: text } }) {
      const found = integrations.find(({ name }) => name === params.name);
      if (!found) throw new ApiError('NOT_FOUND', 'This integration does not exist.');
      const { displayName, documentation } = found;
      return {
        title: displayName,
        content: html`<div class="wide">
          ${await picture(found, realm, text)} ${steps(found, realm, text)} ${secret(found, realm, text)}
          ${eventList(found, text)}
          <p>
            <a href="${documentation}">${text.documentation(displayName)}</a> ·
            <a href="${path}">${text.all}</a>
          </p>
        </div>`,
      };
    },
  }),
];
