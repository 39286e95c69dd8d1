import { describe, expect, test } from 'vitest';

import { readHtml } from './read-html.ts';

/** How long the processor worked on it, which does not depend on what else the machine does. */
function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const head = (html: string) => readHtml(`<!doctype html><html><head>${html}</head><body></body></html>`);

describe('of a page', () => {
  test('its own words for others count, before those for itself', () => {
    const metadata = head(`<title>Site &mdash; Story</title>
      <meta name="description" content="For engines"><meta property="og:description" content="For people">
      <meta property="og:title" content="A &quot;story&quot;"><meta property="og:image" content="/i.png">`);
    expect(metadata).toEqual({
      title: 'A "story"',
      description: 'For people',
      image: '/i.png',
      oembed: '',
      base: '',
    });
  });

  test.each([
    ['og:title as a name', '<meta name="og:title" content="T">', { title: 'T' }],
    ['a property in capitals', '<META PROPERTY=" OG:TITLE " CONTENT=T>', { title: 'T' }],
    ['a twitter card', '<meta name="twitter:title" content="T"><title>x</title>', { title: 'T' }],
    ['the title alone', '<title>T &amp; <b>U</b></title>', { title: 'T & <b>U</b>' }],
    ['the first title', '<title>T</title><title>U</title>', { title: 'T' }],
    [
      'the first of several',
      '<meta property="og:image" content="a"><meta property="og:image" content="b">',
      { image: 'a' },
    ],
    [
      'none that is empty',
      '<meta property="og:title" content=" "><meta property="og:title" content="T">',
      { title: 'T' },
    ],
    [
      'a picture for secure pages',
      '<meta property="og:image" content="a"><meta property="og:image:secure_url" content="b">',
      { image: 'b' },
    ],
    [
      'where else it speaks',
      '<link rel="alternate" type="application/json+oembed" href="/o">',
      { oembed: '/o' },
    ],
    ['not as XML', '<link rel="alternate" type="text/xml+oembed" href="/o">', { oembed: '' }],
    ['where addresses start', '<base href="/x/">', { base: '/x/' }],
    ['nothing in scripts', '<script>"<meta property=og:title content=T>"</script>', { title: '' }],
    ['nothing in comments', '<!-- <meta property=og:title content=T> -->', { title: '' }],
  ])('%s is read', (_, html, metadata) => {
    expect(head(html)).toMatchObject(metadata);
  });

  test('what stands in its body is not its own word', () => {
    expect(readHtml('<body><meta property="og:title" content="T"><title>U</title>').title).toBe('');
    expect(readHtml('<head></head><meta property="og:title" content="U">').title).toBe('');
  });

  test.each(['', '<', '<title>', '<title>T', '<meta property="og:title" content="T', '\0\0', '</p></p>'])(
    'no more than %j is there, and is read',
    (html) => {
      expect(readHtml(html).description).toBe('');
    },
  );

  test.each([
    ['unclosed tags', '<div>'],
    ['tags closed that were never opened', '</x>'],
    ['paragraphs closed that were never opened', '</p>'],
    ['tags in tags in svg', '<svg><g>'],
    ['entities', '&amp;'],
    ['half entities', '&a'],
    ['brackets', '<'],
    ['comments', '<!--'],
    ['titles', '<title>'],
    ['attributes', '<meta a b c d e=f '],
    ['quotes', '<meta content="'],
  ])('half a megabyte of %s takes no time to speak of', (_, piece) => {
    const html = piece.repeat(Math.ceil(524_288 / piece.length));
    // 5 to 150 ms on an idle machine.
    expect(cpuMsOf(() => readHtml(html))).toBeLessThan(3000);
  });

  test('many tags, and more that close others, take no time to speak of', () => {
    const html = `${'<div>'.repeat(1999)}${'</x>'.repeat(130_000)}`;
    expect(cpuMsOf(() => readHtml(html))).toBeLessThan(6000);
  });

  test('a name for each of very many attributes takes no time to speak of', () => {
    const attributes = Array.from({ length: 100_000 }, (_, index) => index.toString(36)).join(' ');
    expect(cpuMsOf(() => readHtml(`<meta ${attributes}>`))).toBeLessThan(3000);
  });
});
