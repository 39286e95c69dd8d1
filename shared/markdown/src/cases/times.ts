import type { Case } from './world.ts';

export const times: Case[] = [
  [
    '<time:2031-05-06T07:08:00+02:00>',
    '<p><time datetime="2031-05-06T05:08:00Z">2031-05-06T07:08:00+02:00</time></p>',
  ],
  ['<time:2031-05-06T07:08:00Z>', '<p><time datetime="2031-05-06T07:08:00Z">2031-05-06T07:08:00Z</time></p>'],
  ['<time:2031-05-06T07:08:00>', '<p><time datetime="2031-05-06T07:08:00Z">2031-05-06T07:08:00</time></p>'],
  ['<time:2031-05-06T07:08>', '<p><time datetime="2031-05-06T07:08:00Z">2031-05-06T07:08</time></p>'],
  [
    '<time:2031-05-06T07:08:00.500Z>',
    '<p><time datetime="2031-05-06T07:08:00Z">2031-05-06T07:08:00.500Z</time></p>',
  ],
  ['<time:2031-05-06 07:08>', '<p><time datetime="2031-05-06T07:08:00Z">2031-05-06 07:08</time></p>'],
  [
    '<time:2031-05-06 07:08:00 -0530>',
    '<p><time datetime="2031-05-06T12:38:00Z">2031-05-06 07:08:00 -0530</time></p>',
  ],
  [
    '<time:2031-05-06T07:08:00-05>',
    '<p><time datetime="2031-05-06T12:08:00Z">2031-05-06T07:08:00-05</time></p>',
  ],
  ['<time:2031-05-06>', '<p><time datetime="2031-05-06T00:00:00Z">2031-05-06</time></p>'],
  ['<time:20310506T070800Z>', '<p><time datetime="2031-05-06T07:08:00Z">20310506T070800Z</time></p>'],
  ['<time:20310506>', '<p><time datetime="2031-05-06T00:00:00Z">20310506</time></p>'],
  ['<time:1893456000>', '<p><time datetime="2030-01-01T00:00:00Z">1893456000</time></p>'],
  ['<time:1893456000.75>', '<p><time datetime="2030-01-01T00:00:00Z">1893456000.75</time></p>'],
  ['<time:0>', '<p><time datetime="1970-01-01T00:00:00Z">0</time></p>'],
  ['<time:-1>', '<p><time datetime="1969-12-31T23:59:59Z">-1</time></p>'],
  ['<time:May 6 2031>', '<p><time datetime="2031-05-06T00:00:00Z">May 6 2031</time></p>'],
  ['<time:6 May 2031 7:08 PM>', '<p><time datetime="2031-05-06T19:08:00Z">6 May 2031 7:08 PM</time></p>'],
  ['<time:May 6th, 2031, 7pm>', '<p><time datetime="2031-05-06T19:00:00Z">May 6th, 2031, 7pm</time></p>'],
  [
    '<time:Tue, 06 May 2031 07:08:00 GMT>',
    '<p><time datetime="2031-05-06T07:08:00Z">Tue, 06 May 2031 07:08:00 GMT</time></p>',
  ],
  [
    '<time:Tue May 6 2031 07:08:00 UTC+2>',
    '<p><time datetime="2031-05-06T05:08:00Z">Tue May 6 2031 07:08:00 UTC+2</time></p>',
  ],
  ['<time:Jan 1 2031 00:00 EST>', '<p><time datetime="2031-01-01T05:00:00Z">Jan 1 2031 00:00 EST</time></p>'],
  ['<time:soon>', '<p><span class="timestamp-error">Invalid time format: soon</span></p>'],
  ['<time:tomorrow 5>', '<p><span class="timestamp-error">Invalid time format: tomorrow 5</span></p>'],
  ['<time:>', '<p>&lt;time:&gt;</p>'],
  ['<time:2031-13-45>', '<p><span class="timestamp-error">Invalid time format: 2031-13-45</span></p>'],
  ['<time:999999999999>', '<p><span class="timestamp-error">Invalid time format: 999999999999</span></p>'],
  ['<time:<b>>', '<p><span class="timestamp-error">Invalid time format: &lt;b</span>&gt;</p>'],
  ['<time:a"b>', '<p><span class="timestamp-error">Invalid time format: a&quot;b</span></p>'],
  ['<time:1893456000', '<p>&lt;time:1893456000</p>'],
  ['`<time:1893456000>`', '<p><code>&lt;time:1893456000&gt;</code></p>'],
  ['at <time:1893456000>, sharp', '<p>at <time datetime="2030-01-01T00:00:00Z">1893456000</time>, sharp</p>'],
  [
    '**<time:1893456000>**',
    '<p><strong><time datetime="2030-01-01T00:00:00Z">1893456000</time></strong></p>',
  ],
  [
    '[at <time:1893456000>](https://ex.org)',
    '<p><a href="https://ex.org">at <time datetime="2030-01-01T00:00:00Z">1893456000</time></a></p>',
  ],
  [
    '> <time:1893456000>',
    '<blockquote>\n<p><time datetime="2030-01-01T00:00:00Z">1893456000</time></p>\n</blockquote>',
  ],
  [
    '<time:1893456000> <time:0>',
    '<p><time datetime="2030-01-01T00:00:00Z">1893456000</time> <time datetime="1970-01-01T00:00:00Z">0</time></p>',
  ],
  ['<Time:0>', '<p>&lt;Time:0&gt;</p>'],
];
