/** How a face is drawn. Hues are degrees; colours are those of CSS. */
export interface Face {
  background: number;
  skin: string;
  hair: string;
  cut: 'bun' | 'curls' | 'long' | 'parted' | 'short';
  shirt: string;
  extra?: 'beard' | 'glasses';
}

/** Somebody of the demo organization as `npm start` shows it. */
interface Person {
  /** The full name of the account that is theirs, as it is created. */
  account: string;
  name: string;
  face: Face;
  status?: { text: string; emoji: string };
}

/** By the short names that conversations use. */
export const people = {
  olivia: {
    account: 'Olivia Owner',
    name: 'Olivia Brandt',
    face: {
      background: 24,
      skin: '#f1c9a5',
      hair: '#b9b4ad',
      cut: 'bun',
      shirt: '#3b4a6b',
      extra: 'glasses',
    },
  },
  adam: {
    account: 'Adam Administrator',
    name: 'Adam Okafor',
    face: {
      background: 150,
      skin: '#7a4a2e',
      hair: '#1f1715',
      cut: 'short',
      shirt: '#e0a030',
      extra: 'beard',
    },
    status: { text: 'up on the dome', emoji: 'tools' },
  },
  mona: {
    account: 'Mona Moderator',
    name: 'Mona Rivera',
    face: { background: 335, skin: '#d9a273', hair: '#3a2118', cut: 'curls', shirt: '#7d3c7b' },
  },
  alice: {
    account: 'Alice Member',
    name: 'Alice Chen',
    face: {
      background: 205,
      skin: '#f0d0ad',
      hair: '#15151a',
      cut: 'long',
      shirt: '#2f8f83',
      extra: 'glasses',
    },
  },
  bob: {
    account: 'Bob Member',
    name: 'Bob Lindqvist',
    face: {
      background: 95,
      skin: '#f6d7bd',
      hair: '#c98a3c',
      cut: 'parted',
      shirt: '#4c6fae',
      extra: 'beard',
    },
    status: { text: 'observing tonight', emoji: 'telescope' },
  },
  carol: {
    account: 'Carol Member',
    name: 'Carol Haddad',
    face: { background: 265, skin: '#c98f64', hair: '#4a2b1b', cut: 'long', shirt: '#c4533f' },
    status: { text: 'in the optics lab', emoji: 'microscope' },
  },
  gus: {
    account: 'Gus Guest',
    name: 'Gus Weber',
    face: { background: 50, skin: '#f3cfae', hair: '#7b4a26', cut: 'curls', shirt: '#5d6b73' },
  },
} as const satisfies Record<string, Person>;

export type PersonKey = keyof typeof people;

/** The bot that answers, and the account that is its. */
export const stella = { account: 'Echo', name: 'Stella' };

/** Who writes: people and the bot. */
export type Writer = PersonKey | 'stella';
