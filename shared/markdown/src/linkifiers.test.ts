import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkLinkifier } from './check-linkifier.ts';
import { compileLinkifiers } from './linkifiers.ts';
import { topicLinks } from './topic-links.ts';

/** How long the processor worked on it, which does not depend on what else the machine does. */
function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const cases = { pattern: 'case-(?P<n>[0-9]+)', urlTemplate: 'https://t.ex.org/{n}' };
const numbers = { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://ex.org/issues/{id}' };
const ofOthers = {
  pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
  urlTemplate: 'https://ex.org/{org}/{repo}/{id}',
};

const linked = (text: string, ...list: (typeof cases)[]) =>
  compileLinkifiers(list)
    .match(text)
    .map((match) => [match.text, match.url]);

describe('a linkifier', () => {
  test.each([
    ['stands alone', 'case-15', 'case-15'],
    ['follows a space', 'see case-15', 'case-15'],
    ['follows a line break', 'see\ncase-15', 'case-15'],
    ["follows '", "'case-15'", 'case-15'],
    ['follows "', '"case-15"', 'case-15'],
    ['follows (', '(case-15)', 'case-15'],
    ['follows ,', 'a,case-15', 'case-15'],
    ['follows :', 'fixed:case-15', 'case-15'],
    ['follows <', '<case-15>', 'case-15'],
    ['comes before punctuation', 'case-15, case-15.', 'case-15'],
  ])('matches where it %s', (_, text, match) => {
    expect(linked(text, cases)[0]).toEqual([match, 'https://t.ex.org/15']);
  });

  test.each([
    ['inside of a word', 'staircase-15'],
    ['after other punctuation', '/case-15 [case-15 *case-15'],
    ['before a letter', 'case-15a'],
    ['before a letter of any language', 'case-15é case-15日'],
    ['where only a shorter match would end well', 'case-15x case-1５'],
  ])('does not match %s', (_, text) => {
    expect(linked(text, cases)).toEqual([]);
  });

  test('says where its matches are, in units of the text', () => {
    expect(compileLinkifiers([cases]).match('🙂 case-1 case-22')).toEqual([
      { start: 3, end: 9, text: 'case-1', url: 'https://t.ex.org/1' },
      { start: 10, end: 17, text: 'case-22', url: 'https://t.ex.org/22' },
    ]);
  });

  test('gives way to those before it where both match', () => {
    const shorter = { pattern: 'case', urlTemplate: 'https://short.ex.org' };
    expect(linked('case-15', cases, shorter)).toEqual([['case-15', 'https://t.ex.org/15']]);
    expect(linked('case-15 case', shorter, cases)).toEqual([
      ['case', 'https://short.ex.org'],
      ['case', 'https://short.ex.org'],
    ]);
  });

  test('leaves what others do not want, in order of place', () => {
    expect(linked('#1, town/hall#2 and case-3', numbers, ofOthers, cases)).toEqual([
      ['#1', 'https://ex.org/issues/1'],
      ['town/hall#2', 'https://ex.org/town/hall/2'],
      ['case-3', 'https://t.ex.org/3'],
    ]);
  });

  test('fills its template as RFC 6570 says', () => {
    const search = { pattern: 'find:(?P<q>[^ ]+)', urlTemplate: 'https://ex.org/search{?q}' };
    expect(linked('find:a&b=c', search)).toEqual([['find:a&b=c', 'https://ex.org/search?q=a%26b%3Dc']]);
  });

  test('leaves out of its address what did not match', () => {
    const page = { pattern: 'p(?P<n>[0-9]+)(?:-(?P<to>[0-9]+))?', urlTemplate: 'https://ex.org/{n}{/to}' };
    expect(linked('p1 p1-2', page)).toEqual([
      ['p1', 'https://ex.org/1'],
      ['p1-2', 'https://ex.org/1/2'],
    ]);
  });

  test('links nothing where it matches nothing', () => {
    expect(linked('x y', { pattern: '(?P<n>z*)', urlTemplate: 'https://ex.org/{n}' })).toEqual([]);
  });

  test('survives half of a character', () => {
    const any = { pattern: '(?P<n>.+)', urlTemplate: 'https://ex.org/{n}' };
    expect(linked('a\ud800', any)).toEqual([['a\ud800', 'https://ex.org/a%EF%BF%BD']]);
  });

  test('a slow linkifier does not take longer by being there many times', () => {
    const slow = (n: number) => ({
      pattern: `(?P<n>(?:\\w+[ .]?){1,${100 - n}})`,
      urlTemplate: 'https://ex.org/{n}',
    });
    const many = compileLinkifiers(Array.from({ length: 60 }, (_, n) => slow(n)));
    const text = 'abc def '.repeat(1250);
    let found = 0;
    const ms = cpuMsOf(() => (found = many.match(text).length));
    expect(found).toBeGreaterThan(0);
    // Without the limit it takes twenty times as long.
    expect(ms).toBeLessThan(10_000);
  });

  test('an invalid linkifier links nothing, and the others do', () => {
    expect(linked('case-15', { pattern: '(', urlTemplate: 'https://ex.org' }, cases)).toHaveLength(1);
  });
});

describe('matches of several linkifiers', () => {
  const lists = fc.shuffledSubarray([cases, numbers, ofOthers, { ...cases, pattern: '(?P<n>[a-z-]+)' }]);
  const words = fc.constantFrom('case-1', '#2', 'a/b#3', ' ', ',', '(', 'x', '🙂', '\n', 'é');
  const texts = fc.array(words, { maxLength: 20 }).map((all) => all.join(''));

  test('are pieces of the text, in order of place, and never overlap', () => {
    fc.assert(
      fc.property(lists, texts, (list, text) => {
        let last = 0;
        for (const match of compileLinkifiers(list).match(text)) {
          expect(match.start).toBeGreaterThanOrEqual(last);
          expect(match.end).toBeGreaterThan(match.start);
          expect(text.slice(match.start, match.end)).toBe(match.text);
          last = match.end;
        }
      }),
    );
  });
});

describe('checking a linkifier', () => {
  test.each([
    ['named groups', 'a(?P<n>[0-9]+)', 'https://ex.org/{n}'],
    ['no groups', 'wiki', 'https://ex.org/wiki'],
    ['groups without names', '(a|b)(?P<n>c)', 'https://ex.org/{n}'],
    ['operators', 'a(?P<n>x)(?P<m>y)', '{+n}/{#m}'],
    ['several variables in one', 'a(?P<n>x)(?P<m>y)', 'https://ex.org{?n,m:3}'],
    ['one variable twice', 'a(?P<n>x)', 'https://ex.org/{n}/{n*}'],
    ['escapes', 'a(?P<n>x)', 'https://ex.org/%20/{n}'],
    ['other alphabets', 'é(?P<n>x)', 'https://ex.org/ä/{n}'],
  ])('has nothing against %s', (_, pattern, template) => {
    expect(checkLinkifier(pattern, template)).toBeNull();
  });

  test.each([
    '(',
    '[a',
    'a**',
    '(?=a)',
    '(?<!a)b',
    '\\1',
    'a{2000}',
    '(?P<n>a)(?P<n>b)',
    '(?:[a-z]{200}){5}x{900}',
  ])('complains about %s, which is no regular expression', (pattern) => {
    expect(checkLinkifier(pattern, 'https://ex.org/')).toMatchObject({
      field: 'pattern',
      text: expect.stringMatching(/^Bad regular expression: /),
    });
  });

  test.each([
    'https://ex.org/{n',
    'https://ex.org/n}',
    'https://ex.org/{}',
    'https://ex.org/{{n}}',
    'https://ex.org/{n|m}',
    'https://ex.org/{=n}',
    'https://ex.org/{n:0}',
    'https://ex.org/{n:12345}',
    'https://ex.org/{n,}',
    'https://ex.org/{n.}',
    'https://ex.org/%zz/{n}',
    'https://ex.org/{n}<b>',
    'https://ex.org/ {n}',
    'https://ex.org/\ud800{n}',
    'https://ex.org/\0{n}',
  ])('complains about %j, which is no template', (template) => {
    expect(checkLinkifier('a(?P<n>x)', template)).toEqual({
      field: 'url_template',
      text: 'Enter a valid URL template.',
    });
  });

  test('complains about a variable that is no group', () => {
    expect(checkLinkifier('a(?P<n>x)', 'https://ex.org/{n}/{m}')).toEqual({
      field: '__all__',
      text: "Group 'm' in URL template is not present in linkifier pattern.",
    });
  });

  test('complains about a group that is no variable', () => {
    expect(checkLinkifier('a(?P<n>x)(?P<m>y)', 'https://ex.org/{n}')).toEqual({
      field: '__all__',
      text: "Group 'm' in linkifier pattern is not present in URL template.",
    });
  });

  test('takes time in proportion to what it is given', () => {
    const ms = cpuMsOf(() => {
      checkLinkifier('a', 'a.'.repeat(100_000));
      checkLinkifier('a', `{${'a.'.repeat(100_000)}`);
      checkLinkifier('(?:'.repeat(1000), 'x');
    });
    expect(ms).toBeLessThan(2000);
  });
});

describe('links of a topic', () => {
  const linkifiers = compileLinkifiers([cases]);

  test.each([
    ['lunch', []],
    ['case-15 again', [['case-15', 'https://t.ex.org/15']]],
    ['see https://ex.org/a', [['https://ex.org/a', 'https://ex.org/a']]],
    ['see ex.org/a', [['ex.org/a', 'https://ex.org/a']]],
    ['readme.md and setup.py', []],
    ['ada@ex.org', []],
    [
      'ex.org about case-15',
      [
        ['ex.org', 'https://ex.org'],
        ['case-15', 'https://t.ex.org/15'],
      ],
    ],
    ['https://ex.org/:case-15', [['case-15', 'https://t.ex.org/15']]],
  ])('%s', (topic, links) => {
    expect(topicLinks(topic, linkifiers).map(({ text, url }) => [text, url])).toEqual(links);
  });

  test.each(['javascript:{n}', 'data:text/html,{n}', '{+n}'])(
    'never lead to what may run: %s',
    (urlTemplate) => {
      const unsafe = compileLinkifiers([{ pattern: '(?P<n>javascript:[a-z]+|x)', urlTemplate }]);
      expect(
        topicLinks('javascript:alert x', unsafe).filter(({ url }) => /^(?:javascript|data):/.test(url)),
      ).toEqual([]);
    },
  );
});
