import type { Case } from './world.ts';

export const channels: Case[] = [
  ['#**lab**', '<p><a class="stream" data-stream-id="12" href="/#narrow/channel/12-lab">#lab</a></p>'],
  ['#**LAB**', '<p><a class="stream" data-stream-id="12" href="/#narrow/channel/12-lab">#lab</a></p>'],
  ['#**nope**', '<p>#<strong>nope</strong></p>'],
  [
    '#**lab>week 3**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/week.203/with/905">#lab &gt; week 3</a></p>',
  ],
  [
    '#**lab>Week 3**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/Week.203/with/905">#lab &gt; Week 3</a></p>',
  ],
  [
    '#**lab>never**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/never">#lab &gt; never</a></p>',
  ],
  [
    '#**lab>**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic//with/906">#lab &gt; <em>general chat</em></a></p>',
  ],
  [
    '#**lab>week 3@901**',
    '<p><a class="message-link" href="/#narrow/channel/12-lab/topic/week.203/near/901">#lab &gt; week 3 @ 💬</a></p>',
  ],
  [
    '#**lab>@901**',
    '<p><a class="message-link" href="/#narrow/channel/12-lab/topic//near/901">#lab &gt; <em>general chat</em> @ 💬</a></p>',
  ],
  [
    '#**lab>a@b**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/a.40b">#lab &gt; a@b</a></p>',
  ],
  [
    '#**lab>a>b**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/a.3Eb">#lab &gt; a&gt;b</a></p>',
  ],
  [
    '#**lab>v1.2 (b)**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/v1.2E2.20.28b.29">#lab &gt; v1.2 (b)</a></p>',
  ],
  [
    '#**lab><b>**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/.3Cb.3E">#lab &gt; &lt;b&gt;</a></p>',
  ],
  ['#**nope>week 3**', '<p>#<strong>nope&gt;week 3</strong></p>'],
  ['#**nope>a@5**', '<p>#<strong>nope&gt;a@5</strong></p>'],
  [
    '#**big lab 2.0**',
    '<p><a class="stream" data-stream-id="13" href="/#narrow/channel/13-big-lab-2.2E0">#big lab 2.0</a></p>',
  ],
  ['#**>x**', '<p>#<strong>&gt;x</strong></p>'],
  ['#****', '<p>#****</p>'],
  ['#**lab', '<p>#**lab</p>'],
  [',#**lab**', '<p>,#<strong>lab</strong></p>'],
  [':#**lab**', '<p>:#<strong>lab</strong></p>'],
  [
    '#**lab>done!**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/done.21">#lab &gt; done!</a></p>',
  ],
  ['a#**lab**', '<p>a#<strong>lab</strong></p>'],
  ['(#**lab**)', '<p>(<a class="stream" data-stream-id="12" href="/#narrow/channel/12-lab">#lab</a>)</p>'],
  ['[#**lab**](https://ex.org)', '<p><a href="https://ex.org">#lab</a></p>'],
  ['[#**lab>week 3**](https://ex.org)', '<p><a href="https://ex.org">#lab &gt; week 3</a></p>'],
  ['`#**lab**`', '<p><code>#**lab**</code></p>'],
  ['**#**lab** x**', '<p><strong>#</strong>lab<strong> x</strong></p>'],
  [
    '#**lab>über**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/.C3.BCber">#lab &gt; über</a></p>',
  ],
  [
    '#**lab>week 3@99999999999999999**',
    '<p><a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/week.203.4099999999999999999">#lab &gt; week 3@99999999999999999</a></p>',
  ],
  ['#lab', '<p>#lab</p>'],
  ['# **lab**', '<h1><strong>lab</strong></h1>'],
  [
    '#**lab** and #**lab>week 3**',
    '<p><a class="stream" data-stream-id="12" href="/#narrow/channel/12-lab">#lab</a> and <a class="stream-topic" data-stream-id="12" href="/#narrow/channel/12-lab/topic/week.203/with/905">#lab &gt; week 3</a></p>',
  ],
];
