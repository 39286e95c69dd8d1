import { noLinkifiers } from '../linkifiers.ts';
import type { Options } from '../options.ts';
import type { Resolved, UploadFacts } from '../resolved.ts';

/** A Markdown text, and the HTML that it becomes with the options and users below. */
export type Case = readonly [source: string, html: string];

const codes: Record<string, string> = {
  tada: '1f389',
  thumbs_up: '1f44d',
  '+1': '1f44d',
  heart: '2764',
  slight_smile: '1f642',
  frown: '1f641',
  family_man_woman_girl: '1f468-200d-1f469-200d-1f467',
  flag_germany: '1f1e9-1f1ea',
  one: '0031-20e3',
  copyright: '00a9',
  piñata: '1fa85',
};
const names = new Map(Object.entries(codes).map(([name, code]) => [code, name]));
names.set('1f44d', 'thumbs_up');

export const options: Options = {
  linkifiers: noLinkifiers,
  realmUrl: 'https://chat.example.com',
  writtenAt: new Date('2031-05-06T23:30:00Z'),
  emptyTopicName: 'general chat',
  translateEmoticons: false,
  defaultCodeLanguage: null,
  previews: { images: true, pages: true },
  emoji: (name) => {
    if (name === 'logo2') return { src: '/user_avatars/1/emoji/images/abc.png' };
    const code = Object.hasOwn(codes, name) ? codes[name] : undefined;
    return code === undefined ? undefined : { code };
  },
  emojiNameOf: (code) => names.get(code),
};

const picture: UploadFacts = {
  contentType: 'image/png',
  state: 'ready',
  width: 800,
  height: 600,
  isAnimated: false,
  thumbnail: '840x560.webp',
  transcoded: null,
};

const group = (id: number, name: string, more = {}) => ({
  id,
  name,
  displayName: name,
  isActive: true,
  mayMention: true,
  ...more,
});

export const resolved: Resolved = {
  users: [
    { id: 42, name: 'Ada Bell', isActive: true },
    { id: 43, name: 'Gone Guy', isActive: false },
    { id: 44, name: 'Twin', isActive: true },
    { id: 45, name: 'Twin', isActive: true },
    { id: 46, name: 'Ben Ode', isActive: true },
  ],
  groups: [
    group(7, 'ops'),
    group(3, 'role:moderators', { displayName: 'Moderators' }),
    group(8, 'old team', { isActive: false }),
    group(9, 'secret', { mayMention: false }),
  ],
  channels: [
    { id: 12, name: 'lab' },
    { id: 13, name: 'big lab 2.0' },
  ],
  topics: [
    { channelId: 12, topic: 'week 3', messageId: 905 },
    { channelId: 12, topic: '', messageId: 906 },
  ],
  uploads: new Map([
    ['1/aa/p.png', { ...picture, state: 'pending' }],
    [
      '1/aa/r.gif',
      { ...picture, contentType: 'image/gif', isAnimated: true, thumbnail: '840x560-anim.webp' },
    ],
    ['1/aa/h.heic', { ...picture, contentType: 'image/heic', transcoded: '4032x3024.webp' }],
    ['1/aa/bad.png', { ...picture, state: 'failed' }],
    ['1/aa/n.pdf', null],
    ['1/aa/a.mp3', null],
    ['1/aa/f.mp4', null],
  ]),
  pages: new Map([
    [
      'https://news.ex.org/story',
      { kind: 'page', title: 'A <story>', description: 'Of "things"', image: 'https://news.ex.org/i.png' },
    ],
    [
      'https://film.ex.org/clip',
      { kind: 'video', title: 'Clip', html: '<iframe src="x"></iframe>', image: 'https://film.ex.org/t.jpg' },
    ],
    ['https://plain.ex.org/page', { kind: 'page', title: 'No image', description: '', image: null }],
  ]),
};
