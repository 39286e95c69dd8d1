import { describe, expect, test } from 'vitest';

import { type Page, pageOf, tell } from '../../support/index.ts';
import { htmlOf, linkTo, realmWithPreviews, storyHead, startPreviewPages } from './preview-pages.ts';

const { outside, put, publish, look, previewOf } = await startPreviewPages();

describe('what a page says', () => {
  const shown = async (url: string): Promise<string> => {
    const { alice, bob } = await realmWithPreviews();
    const id = await tell(alice, [bob], url);
    await look(alice, id);
    return (await htmlOf(bob, id)).slice(linkTo(url).length + 1);
  };

  test('is text, however it is written', async () => {
    const url = publish(`<meta property="og:title" content="&lt;b onclick='x'&gt;&#7;&quot;">
      <meta name="description" content="\u202e${'d'.repeat(2000)}">
      <meta property="og:image" content='https://ex.org/"); color: red'>`);
    expect(await shown(url)).toBe(
      previewOf(url, {
        title: "&lt;b onclick='x'&gt; &quot;",
        description: `${'d'.repeat(999)}…`,
        image: 'https://ex.org/%22);%20color:%20red',
      }),
    );
  });

  test('is read as it is encoded', async () => {
    const body = Buffer.from('<title>Käse</title><meta property="og:image" content="/i.png">', 'latin1');
    const url = put(pageOf(body, { 'Content-Type': 'text/html; charset=ISO-8859-1' }));
    expect(await shown(url)).toBe(previewOf(url, { title: 'Käse', description: '' }));
  });

  test('starts from where it was found, and without a name goes by its host', async () => {
    const url = put((_, response) =>
      response.writeHead(301, { Location: outside.urlOf('/x/y', 'www.example') }).end(),
    );
    outside.serve('/x/y', pageOf('<meta property="og:image" content="i.png">'));
    const image = outside.urlOf('/x/i.png', 'www.example');
    expect(await shown(url)).toBe(previewOf(url, { title: 'www.example', description: '', image }));
  });

  test('the page of a video is shown as its player', async () => {
    const player =
      '<iframe src="https://player.example/1" width="640" height="360" allowfullscreen></iframe>';
    outside.serve(
      '/oembed',
      pageOf(
        JSON.stringify({ type: 'video', title: 'Clip', thumbnail_url: 'https://ex.org/t.jpg', html: player }),
        { 'Content-Type': 'application/json' },
      ),
    );
    const url = publish(
      `${storyHead}<link rel="alternate" type="application/json+oembed" href="/oembed?x=1&amp;y=2">`,
    );
    expect(await shown(url)).toBe(
      `<div class="embed-video message_inline_image"><a data-id="${player
        .replaceAll('"', '&quot;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')}" href="${url}" title="Clip"><img src="https://ex.org/t.jpg"></a></div>`,
    );
    expect(outside.asked.at(-1)).toBe('pages.example/oembed?x=1&y=2');
  });

  test.each<[string, Page]>([
    ['is not there', (_, response) => response.writeHead(404).end()],
    ['hangs up', (request) => request.socket.destroy()],
    [
      'is of our own network',
      (_, response) => response.writeHead(302, { Location: 'http://10.0.0.1/' }).end(),
    ],
    ['is a picture', pageOf('{"type":"photo"}', { 'Content-Type': 'application/json' })],
    [
      'has no end',
      pageOf(`{"type":"video","x":"${'x'.repeat(70_000)}"}`, { 'Content-Type': 'application/json' }),
    ],
  ])('is shown without a video that %s', async (_, page) => {
    const oembed = put(page);
    const url = publish(`${storyHead}<link rel="alternate" type="application/json+oembed" href="${oembed}">`);
    expect(await shown(url)).toBe(previewOf(url));
  });
});
