import type { Case } from './world.ts';

export const previews: Case[] = [
  [
    'https://ex.org/a.png',
    '<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>',
  ],
  [
    'see https://ex.org/a.png',
    '<p>see <a href="https://ex.org/a.png">https://ex.org/a.png</a></p>\n<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>',
  ],
  [
    '[cat](https://ex.org/a.png)',
    '<p><a href="https://ex.org/a.png">cat</a></p>\n<div class="message_inline_image"><a href="https://ex.org/a.png" title="cat"><img src="https://ex.org/a.png"></a></div>',
  ],
  [
    'https://ex.org/a.PNG',
    '<div class="message_inline_image"><a href="https://ex.org/a.PNG"><img src="https://ex.org/a.PNG"></a></div>',
  ],
  [
    'https://ex.org/a.jpeg?x=1',
    '<div class="message_inline_image"><a href="https://ex.org/a.jpeg?x=1"><img src="https://ex.org/a.jpeg?x=1"></a></div>',
  ],
  ['https://ex.org/a.svg', '<p><a href="https://ex.org/a.svg">https://ex.org/a.svg</a></p>'],
  [
    'https://ex.org/a.bmp https://ex.org/b.webp',
    '<p><a href="https://ex.org/a.bmp">https://ex.org/a.bmp</a> <a href="https://ex.org/b.webp">https://ex.org/b.webp</a></p>\n<div class="message_inline_image"><a href="https://ex.org/a.bmp"><img src="https://ex.org/a.bmp"></a></div>\n<div class="message_inline_image"><a href="https://ex.org/b.webp"><img src="https://ex.org/b.webp"></a></div>',
  ],
  [
    'https://ex.org/a.png\n\nhttps://ex.org/a.png',
    '<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>\n<p><a href="https://ex.org/a.png">https://ex.org/a.png</a></p>',
  ],
  [
    '* https://ex.org/a.png',
    '<ul>\n<li><div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>\n</li>\n</ul>',
  ],
  [
    '1. see https://ex.org/a.png\n2. https://ex.org/b.png\n  * https://chat.example.com/user_uploads/1/aa/r.gif\n3. https://chat.example.com/user_uploads/1/aa/unknown.png',
    '<ol>\n<li>see <a href="https://ex.org/a.png">https://ex.org/a.png</a><div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>\n</li>\n<li><div class="message_inline_image"><a href="https://ex.org/b.png"><img src="https://ex.org/b.png"></a></div>\n<ul>\n<li><div class="message_inline_image"><a href="user_uploads/1/aa/r.gif" title="r.gif"><img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="800x600" src="/user_uploads/thumbnail/1/aa/r.gif/840x560-anim.webp"></a></div>\n</li>\n</ul>\n</li>\n<li><a href="user_uploads/1/aa/unknown.png">https://chat.example.com/user_uploads/1/aa/unknown.png</a></li>\n</ol>',
  ],
  [
    '* https://ex.org/a.png\nmore',
    '<ul>\n<li><a href="https://ex.org/a.png">https://ex.org/a.png</a><br>\nmore<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>\n</li>\n</ul>',
  ],
  [
    '> https://ex.org/a.png',
    '<blockquote>\n<p><a href="https://ex.org/a.png">https://ex.org/a.png</a></p>\n</blockquote>',
  ],
  [
    '# https://ex.org/a.png',
    '<h1><a href="https://ex.org/a.png">https://ex.org/a.png</a></h1>\n<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>',
  ],
  [
    '```spoiler a\nhttps://ex.org/a.png\n```',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>a</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>\n</div></div>',
  ],
  [
    'https://ex.org/a.mp4',
    '<div class="message_inline_image message_inline_video"><a href="https://ex.org/a.mp4"><video preload="metadata" src="https://ex.org/a.mp4"></video></a></div>',
  ],
  [
    '[film](https://ex.org/a.webm)',
    '<p><a href="https://ex.org/a.webm">film</a></p>\n<div class="message_inline_image message_inline_video"><a href="https://ex.org/a.webm" title="film"><video preload="metadata" src="https://ex.org/a.webm"></video></a></div>',
  ],
  [
    '[p.png](/user_uploads/1/aa/p.png)',
    '<p><a href="/user_uploads/1/aa/p.png">p.png</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/aa/p.png" title="p.png"><img class="image-loading-placeholder" data-original-content-type="image/png" data-original-dimensions="800x600" src="/static/images/loading/loader-black.svg"></a></div>',
  ],
  [
    'https://chat.example.com/user_uploads/1/aa/p.png',
    '<div class="message_inline_image"><a href="user_uploads/1/aa/p.png" title="p.png"><img class="image-loading-placeholder" data-original-content-type="image/png" data-original-dimensions="800x600" src="/static/images/loading/loader-black.svg"></a></div>',
  ],
  [
    '[r.gif](/user_uploads/1/aa/r.gif)',
    '<p><a href="/user_uploads/1/aa/r.gif">r.gif</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/aa/r.gif" title="r.gif"><img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="800x600" src="/user_uploads/thumbnail/1/aa/r.gif/840x560-anim.webp"></a></div>',
  ],
  [
    '[h.heic](/user_uploads/1/aa/h.heic)',
    '<p><a href="/user_uploads/1/aa/h.heic">h.heic</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/aa/h.heic" title="h.heic"><img data-original-content-type="image/heic" data-original-dimensions="800x600" data-transcoded-image="4032x3024.webp" src="/user_uploads/thumbnail/1/aa/h.heic/840x560.webp"></a></div>',
  ],
  ['[bad.png](/user_uploads/1/aa/bad.png)', '<p><a href="/user_uploads/1/aa/bad.png">bad.png</a></p>'],
  [
    '[unknown.png](/user_uploads/1/aa/unknown.png)',
    '<p><a href="/user_uploads/1/aa/unknown.png">unknown.png</a></p>',
  ],
  [
    'see [**@**Ada Bell**](/user_uploads/1/aa/unknown.pdf "t")',
    '<p>see <a href="/user_uploads/1/aa/unknown.pdf" title="t">**@**Ada Bell**</a></p>',
  ],
  [
    'https://chat.example.com/user_uploads/1/aa/unknown.png',
    '<p><a href="user_uploads/1/aa/unknown.png">https://chat.example.com/user_uploads/1/aa/unknown.png</a></p>',
  ],
  ['[f.mp4](/user_uploads/1/aa/unknown.mp4)', '<p><a href="/user_uploads/1/aa/unknown.mp4">f.mp4</a></p>'],
  ['[f.mp3](/user_uploads/1/aa/unknown.mp3)', '<p><a href="/user_uploads/1/aa/unknown.mp3">f.mp3</a></p>'],
  ['![f.mp3](/user_uploads/1/aa/unknown.mp3)', '<p><a href="/user_uploads/1/aa/unknown.mp3">f.mp3</a></p>'],
  [
    '[f.mp4](/user_uploads/1/aa/f.mp4)',
    '<p><a href="/user_uploads/1/aa/f.mp4">f.mp4</a></p>\n<div class="message_inline_image message_inline_video"><a href="/user_uploads/1/aa/f.mp4" title="f.mp4"><video preload="metadata" src="/user_uploads/1/aa/f.mp4"></video></a></div>',
  ],
  ['[n.pdf](/user_uploads/1/aa/n.pdf)', '<p><a href="/user_uploads/1/aa/n.pdf">n.pdf</a></p>'],
  [
    'https://youtu.be/abcdefghijk',
    '<p><a href="https://youtu.be/abcdefghijk">https://youtu.be/abcdefghijk</a></p>\n<div class="youtube-video message_inline_image"><a data-id="abcdefghijk" href="https://youtu.be/abcdefghijk"><img src="https://i.ytimg.com/vi/abcdefghijk/mqdefault.jpg"></a></div>',
  ],
  [
    'https://www.youtube.com/watch?v=abcdefghijk&t=5',
    '<p><a href="https://www.youtube.com/watch?v=abcdefghijk&amp;t=5">https://www.youtube.com/watch?v=abcdefghijk&amp;t=5</a></p>\n<div class="youtube-video message_inline_image"><a data-id="abcdefghijk" href="https://www.youtube.com/watch?v=abcdefghijk&amp;t=5"><img src="https://i.ytimg.com/vi/abcdefghijk/mqdefault.jpg"></a></div>',
  ],
  [
    'https://youtube.com/shorts/abcdefghijk',
    '<p><a href="https://youtube.com/shorts/abcdefghijk">https://youtube.com/shorts/abcdefghijk</a></p>\n<div class="youtube-video message_inline_image"><a data-id="abcdefghijk" href="https://youtube.com/shorts/abcdefghijk"><img src="https://i.ytimg.com/vi/abcdefghijk/mqdefault.jpg"></a></div>',
  ],
  [
    'https://youtube.com/watch?v=short',
    '<p><a href="https://youtube.com/watch?v=short">https://youtube.com/watch?v=short</a></p>',
  ],
  [
    'https://notyoutube.com/watch?v=abcdefghijk',
    '<p><a href="https://notyoutube.com/watch?v=abcdefghijk">https://notyoutube.com/watch?v=abcdefghijk</a></p>',
  ],
  [
    'https://news.ex.org/story',
    '<p><a href="https://news.ex.org/story">https://news.ex.org/story</a></p>\n<div class="message_embed"><a class="message_embed_image" href="https://news.ex.org/story" style="background-image: url(&quot;https://news.ex.org/i.png&quot;)"></a><div class="data-container"><div class="message_embed_title"><a href="https://news.ex.org/story" title="A &lt;story&gt;">A &lt;story&gt;</a></div><div class="message_embed_description">Of &quot;things&quot;</div></div></div>',
  ],
  [
    '[a story](https://news.ex.org/story)',
    '<p><a href="https://news.ex.org/story">a story</a></p>\n<div class="message_embed"><a class="message_embed_image" href="https://news.ex.org/story" style="background-image: url(&quot;https://news.ex.org/i.png&quot;)"></a><div class="data-container"><div class="message_embed_title"><a href="https://news.ex.org/story" title="A &lt;story&gt;">A &lt;story&gt;</a></div><div class="message_embed_description">Of &quot;things&quot;</div></div></div>',
  ],
  [
    'https://film.ex.org/clip',
    '<p><a href="https://film.ex.org/clip">https://film.ex.org/clip</a></p>\n<div class="embed-video message_inline_image"><a data-id="&lt;iframe src=&quot;x&quot;&gt;&lt;/iframe&gt;" href="https://film.ex.org/clip" title="Clip"><img src="https://film.ex.org/t.jpg"></a></div>',
  ],
  ['https://plain.ex.org/page', '<p><a href="https://plain.ex.org/page">https://plain.ex.org/page</a></p>'],
  [
    'a | b\n--- | ---\nhttps://ex.org/a.png | c',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><a href="https://ex.org/a.png">https://ex.org/a.png</a></td>\n<td>c</td>\n</tr>\n</tbody>\n</table>\n<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>',
  ],
  [
    'ex.org/a.png',
    '<div class="message_inline_image"><a href="http://ex.org/a.png"><img src="http://ex.org/a.png"></a></div>',
  ],
  [
    '![a](https://ex.org/a.png)',
    '<p>![a](<a href="https://ex.org/a.png">https://ex.org/a.png</a>)</p>\n<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>',
  ],
  [
    'https://ex.org/a.png and https://ex.org/a.png',
    '<p><a href="https://ex.org/a.png">https://ex.org/a.png</a> and <a href="https://ex.org/a.png">https://ex.org/a.png</a></p>\n<div class="message_inline_image"><a href="https://ex.org/a.png"><img src="https://ex.org/a.png"></a></div>',
  ],
];
