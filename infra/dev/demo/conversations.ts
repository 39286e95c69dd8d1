import type { PersonKey, Writer } from './people.ts';

export interface ChannelPlan {
  name: string;
  description: string;
  folder?: string;
}

/** Created beside those that every demo organization has. */
export const channels: readonly ChannelPlan[] = [
  { name: 'spectrograph', description: 'Light, taken apart.', folder: 'Instruments' },
  { name: 'dome', description: 'What turns, opens and squeaks.', folder: 'Instruments' },
  { name: 'pipeline', description: 'From photons to numbers. Code reviews, too.', folder: 'Science' },
  { name: 'papers', description: 'Drafts, referees and deadlines.', folder: 'Science' },
  { name: 'night shift', description: 'Who is awake, and what the sky does.' },
];

export interface Line {
  by: Writer;
  /** How long before the demo is founded it was sent. */
  hoursAgo: number;
  /** Markdown. `{finder}` stands for a link to the picture of that name, `{moon}` for what the bot says of the Moon. */
  text: string;
  reactions?: Readonly<Record<string, readonly PersonKey[]>>;
  /** Of a poll: who votes for which option. */
  votes?: Readonly<Partial<Record<PersonKey, number>>>;
  isStarred?: true;
}

/** Lines in the order of their times. What was sent after `readUntilHoursAgo` the owner has not read. */
export type Conversation = { lines: readonly Line[] } & (
  | { channel: string; topic: string }
  | { among: readonly PersonKey[] }
);

/** What is younger is unread for the owner. */
export const readUntilHoursAgo = 5;

/** Where the demo's picture, formula, code and poll are. */
export const showpiece = { channel: 'spectrograph', topic: 'first light' } as const;

export const conversations: readonly Conversation[] = [
  {
    ...showpiece,
    lines: [
      {
        by: 'bob',
        hoursAgo: 20.2,
        text: 'The new grating is in. Guiding is stable to **0.3″**, so here goes nothing.',
        reactions: { fingers_crossed: ['carol', 'alice', 'olivia'] },
      },
      {
        by: 'bob',
        hoursAgo: 19.9,
        text: 'Ten minutes on the finder camera:\n{finder}',
        reactions: { heart_eyes: ['alice', 'carol', 'olivia', 'gus'], tada: ['mona', 'adam'] },
        isStarred: true,
      },
      {
        by: 'carol',
        hoursAgo: 19.6,
        text: 'Lovely! For the exposure time I used\n```math\n\\mathrm{SNR} = \\frac{S\\,t}{\\sqrt{S\\,t + n_{\\mathrm{pix}}\\,(B\\,t + D\\,t + R^2)}}\n```\nwhich gives 40 after about 20 minutes.',
        reactions: { '+1': ['bob', 'alice'] },
      },
      {
        by: 'alice',
        hoursAgo: 19.3,
        text: 'The same in the pipeline, for @**Bob Lindqvist**:\n```python\ndef snr(t: float, s: float, b: float, d: float, r: float, n_pix: int = 12) -> float:\n    """Signal to noise after `t` seconds."""\n    noise = s * t + n_pix * (b * t + d * t + r**2)\n    return s * t / noise**0.5\n```',
        reactions: { rocket: ['bob', 'carol'], '100': ['olivia'] },
      },
      {
        by: 'mona',
        hoursAgo: 18.9,
        text: '/poll Which target tomorrow?\nNGC 7331\nM 33\nA standard star, please',
        votes: { alice: 0, bob: 0, olivia: 0, gus: 1, carol: 2, adam: 2 },
      },
      { by: 'bob', hoursAgo: 3.1, text: 'NGC 7331 it is. I will be on from eleven; who keeps me company?' },
      {
        by: 'gus',
        hoursAgo: 2.9,
        text: 'Me! It would be my first night at the telescope.',
        reactions: { heart: ['bob', 'mona', 'carol'], coffee: ['mona'] },
      },
    ],
  },
  {
    channel: 'spectrograph',
    topic: 'wavelength calibration',
    lines: [
      { by: 'carol', hoursAgo: 28, text: 'The argon lines after last night’s fit:\n{argon}' },
      {
        by: 'alice',
        hoursAgo: 27.5,
        text: 'Residuals are below `0.02 Å`. I will write it up.',
        reactions: { clap: ['carol', 'bob'] },
      },
      {
        by: 'carol',
        hoursAgo: 2.2,
        text: 'Neon agrees, so it is not the lamp. The drift follows the temperature of the room:\n\n| hour | °C | shift (Å) |\n| --- | --- | --- |\n| 21 | 14.1 | 0.00 |\n| 0 | 12.8 | 0.03 |\n| 3 | 11.2 | 0.07 |',
        reactions: { eyes: ['alice', 'bob'] },
      },
    ],
  },
  {
    channel: 'dome',
    topic: 'shutter sticks',
    lines: [
      {
        by: 'adam',
        hoursAgo: 33,
        text: 'It stuck again at 03:10. I greased the **east** rail; please listen for the squeak.',
      },
      { by: 'bob', hoursAgo: 30, text: 'It squeaks at 40°, and only on the way down.' },
      {
        by: 'adam',
        hoursAgo: 29,
        text: 'Then it is the counterweight. My list:\n\n1. take the cover off\n2. look for the worn roller\n3. **not** lean on the switch this time',
        reactions: { joy: ['bob', 'mona', 'alice'] },
      },
      { by: 'adam', hoursAgo: 4.4, text: 'New roller, no squeak since noon. :fingers_crossed:' },
    ],
  },
  {
    channel: 'dome',
    topic: '✔ rain sensor',
    lines: [
      { by: 'mona', hoursAgo: 70, text: 'It said rain all night, and there was none.' },
      {
        by: 'adam',
        hoursAgo: 69,
        text: 'A spider. She has moved, and the sensor believes in dry nights again.',
        reactions: { spider: ['mona', 'carol', 'gus'] },
      },
    ],
  },
  {
    channel: 'pipeline',
    topic: 'cosmic rays',
    lines: [
      {
        by: 'alice',
        hoursAgo: 46,
        text: 'Two frames are enough to find most of them:\n```python\ndef cosmic_rays(one: np.ndarray, other: np.ndarray, k: float = 5.0) -> np.ndarray:\n    difference = one - other\n    return difference > k * mad(difference)\n```\n||They are muons, mostly. We should keep them.||',
      },
      {
        by: 'bob',
        hoursAgo: 45.5,
        text: '> We should keep them.\n\n:muscle: A muon telescope for free.',
        reactions: { laughing: ['alice', 'carol'] },
      },
      {
        by: 'alice',
        hoursAgo: 1.6,
        text: 'It is merged. The next night runs with it, and `--keep-muons` does what it says.',
        reactions: { tada: ['bob'] },
      },
    ],
  },
  {
    channel: 'papers',
    topic: 'referee report',
    lines: [
      {
        by: 'olivia',
        hoursAgo: 52,
        text: '> The authors should explain the choice of the aperture.\n\nFair. Who has time before Thursday?',
      },
      { by: 'bob', hoursAgo: 51, text: 'I can read it on Wednesday.' },
      { by: 'carol', hoursAgo: 50.4, text: 'The figure of the aperture is in the draft already: section 3.' },
      {
        by: 'alice',
        hoursAgo: 0.6,
        text: '@**Olivia Brandt** the answer is written, but for one thing that is yours to say. The referee asks what the instrument is *called*. Is it **LARK** or **Larkspur-1**? I send it tonight, with whatever you write here. :pray:',
        reactions: { eyes: ['bob'], thinking: ['carol'] },
      },
    ],
  },
  {
    channel: 'night shift',
    topic: 'tonight',
    lines: [
      { by: 'mona', hoursAgo: 8, text: '@**Stella** moon' },
      { by: 'stella', hoursAgo: 7.99, text: '{moon}' },
      {
        by: 'bob',
        hoursAgo: 1.1,
        text: 'Clear to the horizon, and this came with the sunset:\n{moon picture}',
        reactions: { heart_eyes: ['carol', 'gus'], camera: ['mona'] },
      },
    ],
  },
  {
    channel: 'general',
    topic: 'night shifts',
    lines: [
      {
        by: 'mona',
        hoursAgo: 26,
        text: 'The rota is up. Swap with each other, tell me afterwards:\n\n- *first half*: Bob, Carol\n- *second half*: Alice, Adam\n- **new moon**: everybody who can stay awake',
        reactions: { '+1': ['bob', 'carol', 'alice', 'adam'] },
      },
      {
        by: 'adam',
        hoursAgo: 25,
        text: 'I take Bob’s Friday if somebody feeds the cat of the control room.',
      },
    ],
  },
  {
    channel: 'general',
    topic: 'welcome',
    lines: [
      {
        by: 'olivia',
        hoursAgo: 72,
        text: 'Two telescopes, one spectrograph, and whoever is awake: welcome to Larkspur! :telescope:',
        reactions: { wave: ['adam', 'mona', 'alice', 'bob', 'carol'] },
      },
      { by: 'gus', hoursAgo: 71, text: 'Thank you! I am here until September, and I ask a lot.' },
      {
        by: 'mona',
        hoursAgo: 4.8,
        text: 'Cake in the control room at four! :cake:',
        reactions: { cake: ['bob', 'alice', 'carol', 'gus', 'adam'] },
      },
    ],
  },
  {
    channel: 'random',
    topic: 'names for the cat',
    lines: [
      {
        by: 'carol',
        hoursAgo: 40,
        text: '/poll The cat of the control room is called\nSirius\nPixel\nDark Frame',
        votes: { bob: 2, alice: 1, mona: 2, adam: 0, olivia: 2 },
      },
      { by: 'adam', hoursAgo: 39, text: 'She answers to none of them, so any will do. :cat:' },
    ],
  },
  {
    channel: 'core team',
    topic: 'budget',
    lines: [
      {
        by: 'olivia',
        hoursAgo: 23,
        text: 'The grant is through. I tell everybody on Friday; not a word before.',
      },
      { by: 'adam', hoursAgo: 22.5, text: ':silence:', reactions: { tada: ['mona', 'olivia'] } },
    ],
  },
  {
    among: ['alice', 'olivia'],
    lines: [
      { by: 'olivia', hoursAgo: 24, text: 'How is section 3?' },
      { by: 'alice', hoursAgo: 23.6, text: 'Nearly there. I ask you in #**papers** if something is open.' },
    ],
  },
  {
    among: ['bob', 'olivia'],
    lines: [{ by: 'bob', hoursAgo: 0.4, text: 'Are you up tonight? Seeing looks great after eleven.' }],
  },
  {
    among: ['mona', 'adam', 'olivia'],
    lines: [
      { by: 'mona', hoursAgo: 48, text: 'The visitors come on Saturday at six. Who shows them the dome?' },
      { by: 'adam', hoursAgo: 47, text: 'I do, if you do the talking.', reactions: { '+1': ['mona'] } },
    ],
  },
];
