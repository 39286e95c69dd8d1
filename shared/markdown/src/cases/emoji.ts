import type { Case } from './world.ts';

export const emoji: Case[] = [
  [
    ':tada:',
    '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
  ],
  [
    ':thumbs_up:',
    '<p><span aria-label="thumbs up" class="emoji emoji-1f44d" role="img" title="thumbs up">:thumbs_up:</span></p>',
  ],
  [':+1:', '<p><span aria-label="+1" class="emoji emoji-1f44d" role="img" title="+1">:+1:</span></p>'],
  [
    ':piñata:',
    '<p><span aria-label="piñata" class="emoji emoji-1fa85" role="img" title="piñata">:piñata:</span></p>',
  ],
  [':nope:', '<p>:nope:</p>'],
  [
    ':logo2:',
    '<p><img alt=":logo2:" class="emoji" src="/user_avatars/1/emoji/images/abc.png" title="logo2"></p>',
  ],
  [
    'a:tada:b',
    '<p>a<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>b</p>',
  ],
  [
    ':tada::tada:',
    '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
  ],
  [':tada', '<p>:tada</p>'],
  ['tada:', '<p>tada:</p>'],
  ['10:30:45', '<p>10:30:45</p>'],
  [
    '::tada::',
    '<p>:<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>:</p>',
  ],
  [':ta da:', '<p>:ta da:</p>'],
  ['🎉', '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>'],
  [
    'a🎉b',
    '<p>a<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>b</p>',
  ],
  [
    '🎉🎉',
    '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
  ],
  [
    '❤\uFE0F',
    '<p><span aria-label="heart" class="emoji emoji-2764" role="img" title="heart">:heart:</span></p>',
  ],
  ['❤', '<p>❤</p>'],
  ['👍🏽', '<p>👍🏽</p>'],
  [
    '👨\u200D👩\u200D👧',
    '<p><span aria-label="family man woman girl" class="emoji emoji-1f468-200d-1f469-200d-1f467" role="img" title="family man woman girl">:family_man_woman_girl:</span></p>',
  ],
  [
    '🇩🇪',
    '<p><span aria-label="flag germany" class="emoji emoji-1f1e9-1f1ea" role="img" title="flag germany">:flag_germany:</span></p>',
  ],
  ['🇽🇽', '<p>🇽🇽</p>'],
  [
    '1\uFE0F⃣',
    '<p><span aria-label="one" class="emoji emoji-0031-20e3" role="img" title="one">:one:</span></p>',
  ],
  ['©', '<p>©</p>'],
  [
    '©\uFE0F',
    '<p><span aria-label="copyright" class="emoji emoji-00a9" role="img" title="copyright">:copyright:</span></p>',
  ],
  ['™', '<p>™</p>'],
  ['#', '<p>#</p>'],
  ['🫨', '<p>🫨</p>'],
  ['[🎉](https://ex.org)', '<p><a href="https://ex.org">🎉</a></p>'],
  [
    '# :tada:',
    '<h1><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></h1>',
  ],
  [':TADA:', '<p>:TADA:</p>'],
  [':)', '<p>:)</p>'],
  [
    ':tada: :)',
    '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span> :)</p>',
  ],
  ['😀\uFE0E', '<p>😀\uFE0E</p>'],
];
