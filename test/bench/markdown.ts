import { type Options, compileLinkifiers, nothingResolved, parse, render } from '@parley/markdown';
import MarkdownIt from 'markdown-it';

import type { Bench } from './finding.ts';
import { median, two } from './numbers.ts';

const repeats = 5;
/** In proportion is 10. */
const growthMax = 20;

/** What people write, by what is in it. */
const ordinary: Record<string, string[]> = {
  words: [
    'ok',
    'Sounds good to me, thanks!',
    'I think we should wait until Thursday; the other team has not answered yet.',
    'Who has looked at the numbers from last week? They seem too good to be true.',
    'Good morning everyone\nI am out in the afternoon, back at five.',
  ],
  emphasis: [
    'This is **really** important, please read it.',
    '*maybe* tomorrow, ~~not today~~',
    'We agreed on **three** things: *small* steps, **tests first**, and no work on Friday evening.',
  ],
  emoji: [
    'Done :tada:',
    ':thumbs_up: will do',
    'great 🎉 see you there',
    ':working_on_it: nearly there :heart:',
  ],
  links: [
    'see https://github.com/example/project/pull/1234',
    'The [design document](https://docs.example.org/d/abc) has the details, comments are welcome.',
    'It is on example.com/about, and the old one at http://old.example.com/about?x=1&y=2#top.',
  ],
  mentions: [
    '@**Ada Bell** could you look at this?',
    'This belongs to #**design>colours**, doesn’t it @**Ben Ode**?',
    '@*ops* the second node is down again, see #**ops>node two@1234**',
  ],
  code: [
    'Run `npm test` first, then `npm run bench`.',
    '```\nconnect ECONNREFUSED 127.0.0.1:5432\n    at listen (node:net:1555)\n```',
    'The value of `retryAfterSeconds` is wrong:\n```\nexpected 3\nreceived 2\n```\nwhy?',
  ],
  quotes: [
    '> shall we meet at ten?\n\nyes',
    '```quote\nIs the release out?\n```\nSince this morning.',
    '@_**Ada Bell|42** [said](https://chat.example.com/#narrow/channel/12-lab/topic/week.203/near/901):\n```quote\nI would do it the other way round.\n```\nMe too.',
  ],
  lists: [
    '* first\n* second\n  * half\n* third',
    'Today:\n1. deploy\n2. watch the graphs\n3. go home',
    '## Plan\n\n- write\n- test\n- *rest*',
  ],
};

/** Repeated to ten thousand characters and more: what makes careless parsers look at everything again and again. */
const adversarial = [
  [
    '*',
    '**a',
    '***',
    '~~',
    '~~a',
    '_',
    '`',
    '` `` ``` ',
    '$$',
    '$$a ',
    '[',
    '[a](',
    '[a](u "',
    '](',
    '![a](',
  ],
  ['@**', '@**a|1** ', '@_*', '#**', '#**a>', '<time:', '<', '&', '&a;', ':a', ':tada:', ':)', '🎉', '\\'],
  [
    '>',
    '> ',
    '>\n',
    '> a\n',
    '* ',
    '* a\n',
    '- a\n  ',
    '1. ',
    '- + ',
    '    a\n',
    '# ',
    '---\n',
    '\n',
    '|',
    '|a|b\n|-|-\n',
  ],
  [
    '```\n',
    '```js\n',
    '```quote\n',
    '~~~quote\n```quote\n',
    '```spoiler a\n',
    'a.b.',
    'a@',
    'http://',
    'https://a.co/ ',
    'a.com ',
    ',a.co/x',
    'a.co/(',
    '>\n>a\n',
    '`|',
    '\t',
  ],
].flat();

const options: Options = {
  linkifiers: compileLinkifiers([]),
  realmUrl: 'https://chat.example.com',
  writtenAt: new Date(),
  emptyTopicName: 'general chat',
  translateEmoticons: true,
  defaultCodeLanguage: null,
  previews: { images: true, pages: false },
  emoji: (name) =>
    ['tada', 'thumbs_up', 'heart', 'working_on_it', 'slight_smile'].includes(name)
      ? { code: '1f389' }
      : undefined,
  emojiNameOf: (code) => (code === '1f389' ? 'tada' : undefined),
};
const resolved = {
  ...nothingResolved,
  users: ['Ada Bell', 'Ben Ode'].map((name, index) => ({ id: 42 + index, name, isActive: true })),
  channels: ['design', 'ops'].map((name, index) => ({ id: 12 + index, name })),
};

const plain = new MarkdownIt({ html: false, linkify: true, breaks: true });
const byUs = (source: string) => {
  try {
    return render(parse(source, options), resolved).html.length;
  } catch {
    // Refused for its length, which takes no less time.
    return 0;
  }
};
const byPlain = (source: string) => plain.render(source).length;

function msOf(act: () => void): number {
  const startedAt = performance.now();
  act();
  return performance.now() - startedAt;
}

/** Microseconds for each of some texts, side by side with markdown-it as it comes, in turns. */
function compare(texts: string[], rounds: number) {
  const [ours, floors] = [[], []] as [number[], number[]];
  const perText = 1000 / (rounds * texts.length);
  for (let repeat = 0; repeat <= repeats; repeat += 1) {
    const ms = [byUs, byPlain].map((read) =>
      msOf(() => {
        for (let round = 0; round < rounds; round += 1) for (const text of texts) read(text);
      }),
    );
    // The first turn is for the compiler.
    if (repeat === 0) continue;
    ours.push((ms[0] ?? 0) * perText);
    floors.push((ms[1] ?? 0) * perText);
  }
  return { us: two(median(ours)), floor_us: two(median(floors)), ratio: two(median(ours) / median(floors)) };
}

function costOfOrdinaryMessages() {
  const kinds = Object.entries(ordinary).map(([name, texts]) => ({ name, ...compare(texts, 1000) }));
  return { kinds, all: compare(Object.values(ordinary).flat(), 500) };
}

const bestMs = (act: () => void) => Math.min(msOf(act), msOf(act), msOf(act));

/** The slowest texts of ten thousand characters, and those whose time grows most with ten times the length. */
function costOfAdversarialMessages() {
  const texts = adversarial.map((piece) => {
    const textOf = (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const [small, large] = [textOf(10_000), textOf(100_000)];
    bestMs(() => byUs(small));
    const ms = bestMs(() => byUs(small));
    const floorMs = bestMs(() => byPlain(small));
    const growth = bestMs(() => byUs(large)) / ms;
    return { piece, ms: two(ms), floor_ms: two(floorMs), growth: two(growth) };
  });
  return {
    slowest: texts.toSorted((a, b) => b.ms - a.ms).slice(0, 5),
    fastestGrowing: texts
      .filter(({ ms }) => ms >= 1)
      .toSorted((a, b) => b.growth - a.growth)
      .slice(0, 3),
  };
}

/** What messages cost to render. */
export const markdown: Bench = (_, say) => {
  say('Markdown …');
  const { kinds, all } = costOfOrdinaryMessages();
  const { slowest, fastestGrowing } = costOfAdversarialMessages();
  const shown = (cost: typeof all) => `${cost.us}  ${cost.floor_us}  ${cost.ratio}`;
  return Promise.resolve({
    figures: { ...all, kinds, slowest, fastest_growing: fastestGrowing },
    claim: {
      holds: fastestGrowing.every(({ growth }) => growth < growthMax),
      result: `${all.ratio} × the time of markdown-it; ten times the text takes ${fastestGrowing[0]?.growth} × the time at most`,
    },
    rows: [
      ['messages to HTML', 'µs  markdown-it, µs  ratio (less is better)'],
      ['  ordinary ones', shown(all)],
      ...kinds.map((kind): [string, string] => [`    ${kind.name}`, shown(kind)]),
      ['made to be slow, 10⁴ characters', 'ms  markdown-it, ms  growth to 10⁵ (10 is in proportion)'],
      ...[...slowest, ...fastestGrowing].map(({ piece, ms, floor_ms, growth }): [string, string] => [
        `  ${JSON.stringify(piece)}`,
        `${ms}  ${floor_ms}  ${growth}`,
      ]),
    ],
    picture: [],
  });
};
