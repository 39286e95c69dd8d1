import { integrations } from '@parley/api';
import { describe, expect, test } from 'vitest';

import { type Person, call, getWorld, realm } from '../../support/index.ts';

async function see({ host }: Person['realm'], path: string, language = 'en') {
  const { ports } = await getWorld();
  return await call({
    port: ports.api,
    method: 'GET',
    path,
    headers: { Host: host, 'Accept-Language': language },
  });
}

/** What stands in an HTML text, outside of tags. */
const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ');

describe('the catalogue of integrations', () => {
  test('leads to the page of each', async () => {
    const { realm: home } = await realm();
    const { status, text } = await see(home, '/integrations/');
    expect(status).toBe(200);
    const links = [...text.matchAll(/href="\/integrations\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(links)).toEqual(new Set(integrations.map(({ name }) => name)));
  });

  test.each(integrations)('shows how $displayName is set up and what it looks like', async (one) => {
    const { realm: home } = await realm();
    const { status, text } = await see(home, `/integrations/${one.name}`);
    expect(status).toBe(200);
    expect(text).toContain(`<h1>${one.displayName}</h1>`);
    expect(text).toContain(`${home.url}/api/v1/external/${one.name}?api_key=…&stream=…`);
    expect(text.includes('config_data=')).toBe(one.signature !== undefined);
    for (const event of Object.keys(one.events).slice(1)) expect(text).toContain(`<code>${event}</code>`);
    const figure = /<figure[^]*<\/figure>/.exec(text)?.[0] ?? '';
    expect(wordsOf(figure).trim()).not.toBe('');
    expect(wordsOf(figure)).not.toMatch(/:[a-z_]+:|~~~|\]\(/);
  });

  test('is in the language of the browser, and knows no other product', async () => {
    const { realm: home } = await realm();
    expect((await see(home, '/integrations/github', 'de')).text).toContain('So sieht es aus');
    expect((await see(home, '/integrations', 'ar')).text).toContain('dir="rtl"');
    expect((await see(home, '/integrations/zebra')).status).toBe(404);
  });
});
