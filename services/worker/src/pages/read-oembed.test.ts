import { describe, expect, test } from 'vitest';

import { readOembed } from './read-oembed.ts';
import { sanitizeText, parseWebUrl } from './sanitize-text.ts';

const video = {
  type: 'video',
  version: '1.0',
  title: 'Clip',
  html: '<iframe src="https://player.example/1?a=1&b=2" width="640" height="360" onload="x()"></iframe>',
  thumbnail_url: 'https://video.example/t.jpg',
};
const read = (differing: object) =>
  readOembed(JSON.stringify({ ...video, ...differing }), 'https://video.example/clip');
const playerOf = (html: string) => {
  const preview = read({ html });
  return preview?.kind === 'video' ? preview.html : null;
};

describe('the oEmbed response of a video', () => {
  test('is a title, a picture and a player', () => {
    expect(read({})).toEqual({
      kind: 'video',
      title: 'Clip',
      image: 'https://video.example/t.jpg',
      html: '<iframe src="https://player.example/1?a=1&amp;b=2" width="640" height="360" allowfullscreen></iframe>',
    });
  });

  test.each([
    ['a photo', { type: 'photo' }],
    ['a video without a player', { html: '' }],
    ['a video without a picture', { thumbnail_url: undefined }],
    ['a video with a picture that is none', { thumbnail_url: 'data:image/png;base64,' }],
    ['a player that is no text', { html: 5 }],
    ['a player without end', { html: `${video.html}${' '.repeat(20_000)}` }],
  ])('is nothing of %s', (_, differing) => {
    expect(read(differing)).toBeNull();
  });

  test.each(['', '{', 'null', '[]', '"x"', '<oembed>'])('is nothing of %j', (text) => {
    expect(readOembed(text, 'https://video.example/clip')).toBeNull();
  });

  test.each([
    ['<script>alert(1)</script>', null],
    ['<iframe></iframe>', null],
    ['<iframe src="javascript:alert(1)"></iframe>', null],
    ['<iframe src="data:text/html,x"></iframe>', null],
    ['<iframe src="http://player.example/"></iframe>', null],
    ['<iframe srcdoc="<script>x</script>"></iframe>', null],
  ])('shows no player of %s', (html, player) => {
    expect(playerOf(html)).toBe(player);
  });

  test('keeps of a player its address and its size', () => {
    const written = `<div><script>x</script><IFRAME WIDTH=100% height="-5" src='/p"><script>x'></IFRAME></div>`;
    expect(playerOf(written)).toBe(
      '<iframe src="https://video.example/p%22%3E%3Cscript%3Ex" width="480" height="270" allowfullscreen></iframe>',
    );
  });
});

describe('a stranger’s words', () => {
  test.each([
    ['  a\n b\t\u00a0c ', 'a b c'],
    ['a\0b\u0007c', 'a b c'],
    ['a\ud800b', 'a b'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['👩‍👩‍👧 é', '👩‍👩‍👧 é'],
    ['', ''],
  ])('%j become one line', (text, line) => {
    expect(sanitizeText(text, 100)).toBe(line);
  });

  test('end where they are too long, between letters', () => {
    expect(sanitizeText('😀'.repeat(11), 10)).toBe(`${'😀'.repeat(9)}…`);
    expect(sanitizeText('😀'.repeat(10), 10)).toBe('😀'.repeat(10));
  });

  test.each([
    ['/i.png', 'https://ex.org/i.png'],
    ['i.png', 'https://ex.org/a/i.png'],
    ['//cdn.org/i.png', 'https://cdn.org/i.png'],
    ['http://ex.org/ä "b"', 'http://ex.org/%C3%A4%20%22b%22'],
    ['https://a:b@ex.org/', 'https://ex.org/'],
    ['data:image/png;base64,AA', null],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
    ['http://', null],
    [`/${'x'.repeat(200)}`, null],
  ])('%s as an address is %s', (written, address) => {
    expect(parseWebUrl(written, 'https://ex.org/a/b', 100)).toBe(address);
  });
});
