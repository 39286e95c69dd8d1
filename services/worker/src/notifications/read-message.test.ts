import { describe, expect, test } from 'vitest';

import { readMessage } from './read-message.ts';

const baseUrl = 'https://chat.example';
const read = (html: string, withLinks = false) => readMessage(html, { baseUrl, withLinks });

describe('a message outside of the application', () => {
  test.each([
    ['<p>one <strong>two</strong></p>\n<p>three &amp; &lt;b&gt;</p>', 'one two\nthree & <b>'],
    ['<ul>\n<li>a</li>\n<li>b</li>\n</ul>', '- a\n- b'],
    ['<blockquote>\n<p>said</p>\n</blockquote>\n<p>answer</p>', '> said\nanswer'],
    ['<p>a<br>\nb</p>', 'a\nb'],
    [
      '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span> :)</p>',
      '🎉 :)',
    ],
    ['<p><img alt=":logo:" class="emoji" src="/user_avatars/1/x.png" title="logo"></p>', ':logo:'],
    [
      '<p>see</p><div class="message_inline_image"><a href="/user_uploads/1/a.png"><img src="/t.png"></a></div>',
      'see',
    ],
    [
      '<div class="spoiler-block"><div class="spoiler-header"><p>End</p></div><div class="spoiler-content" aria-hidden="true"><p>He dies</p></div></div>',
      'End\n(…)',
    ],
    [
      '<p><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span></p>',
      'x^2',
    ],
    ['<p><a href="https://ex.org/">there</a></p>', 'there'],
    ['', ''],
  ])('%s is %j', (html, text) => {
    expect(read(html).text).toBe(text);
  });

  test('says where its links lead, if asked', () => {
    const html =
      '<p><a href="https://ex.org/a">https://ex.org/a</a> <a href="/user_uploads/1/b.txt">b</a></p>';
    expect(read(html, true).text).toBe('https://ex.org/a b <https://chat.example/user_uploads/1/b.txt>');
    expect(read(html).html).toBe(
      '<p><a href="https://ex.org/a">https://ex.org/a</a> <a href="https://chat.example/user_uploads/1/b.txt">b</a></p>',
    );
  });

  test('has no tags and attributes but the simplest', () => {
    const html =
      '<p class="x" onclick="y()">a<script>b</script> <a href="javascript:c()">d</a><span style="e">f &lt;i&gt;</span></p>';
    expect(read(html).html).toBe('<p>ab <span>d</span>f &lt;i&gt;</p>');
    expect(read('<p>open <em>never closed').html).toBe('<p>open <em>never closed</em></p>');
  });
});
