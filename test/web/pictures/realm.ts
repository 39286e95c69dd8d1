import type { Connection } from '@parley/client';

import type { Stage } from '../area.ts';
import { askAs } from '../as-user.ts';
import { drawAvatar, drawIcon, drawSky, drawSpectrum } from './drawings.ts';

/** Who is who in the pictures, by the names of the demo organization. */
const people = {
  'Olivia Owner': { name: 'Olivia Brandt', hue: 20 },
  'Adam Administrator': { name: 'Adam Okafor', hue: 150 },
  'Mona Moderator': { name: 'Mona Rivera', hue: 330 },
  'Alice Member': { name: 'Alice Chen', hue: 205 },
  'Bob Member': { name: 'Bob Lindqvist', hue: 95 },
  'Carol Member': { name: 'Carol Haddad', hue: 265 },
} as const;

type Name = keyof typeof people;

interface Sent {
  id: number;
}

interface Uploaded {
  url: string;
}

const picture = (content: Buffer, name: string) =>
  new File([new Uint8Array(content)], name, { type: 'image/png' });

type Cast = Record<'olivia' | 'adam' | 'mona' | 'alice' | 'bob' | 'carol', Connection>;

/** An observatory whose people talk about their work. Answers with the fragment of the topic that has everything in it. */
export async function foundObservatory(stage: Stage): Promise<string> {
  const by = (name: Name) => askAs(stage, name);
  const cast = {
    olivia: by('Olivia Owner'),
    adam: by('Adam Administrator'),
    mona: by('Mona Moderator'),
    alice: by('Alice Member'),
    bob: by('Bob Member'),
    carol: by('Carol Member'),
  };
  await present(cast, by);
  await openChannels(cast, stage);
  await talkOfFirstLight(cast);
  await talkOfTheRest(cast, stage);
  const { stream_id } = await cast.alice.get<{ stream_id: number }>('/get_stream_id', {
    stream: 'spectrograph',
  });
  return `narrow/channel/${stream_id}-spectrograph/topic/first.20light`;
}

/** Gives the organization and its people names and faces. */
async function present({ olivia, bob, carol }: Cast, by: (name: Name) => Connection): Promise<void> {
  await olivia.patch('/realm', {
    name: 'Larkspur Observatory',
    description: 'Two telescopes, one spectrograph, and whoever is awake.',
  });
  await olivia.upload('/realm/icon', picture(await drawIcon(), 'icon.png'));
  for (const [name, { name: full_name, hue }] of Object.entries(people) as [Name, (typeof people)[Name]][]) {
    await by(name).patch('/settings', { full_name, enter_sends: true });
    await by(name).upload('/users/me/avatar', picture(await drawAvatar(hue), 'me.png'));
  }
  await bob
    .post('/users/me/status', { status_text: 'observing tonight', emoji_name: 'telescope' })
    .catch(() => undefined);
  await carol.post('/users/me/status', { status_text: 'in the lab', emoji_name: 'microscope' });
}

async function openChannels({ olivia }: Cast, stage: Stage): Promise<void> {
  const { channel_folder_id: instruments } = await olivia.post<{ channel_folder_id: number }>(
    '/channel_folders/create',
    { name: 'Instruments', description: '' },
  );
  const subscribe = (name: string, description: string, folder_id?: number) =>
    olivia.post('/users/me/subscriptions', {
      subscriptions: [{ name, description }],
      principals: Object.keys(people).map((one) => stage.demos.demo(one).user_id),
      folder_id,
    });
  await subscribe('spectrograph', 'Light, taken apart.', instruments);
  await subscribe('dome', 'What turns, opens and squeaks.', instruments);
  await subscribe('papers', 'Drafts, referees and deadlines.');
}

const say = async (who: Connection, to: string, topic: string, content: string) =>
  (await who.post<Sent>('/messages', { type: 'channel', to, topic, content })).id;
const react = (id: number, name: string, ...who: Connection[]) =>
  Promise.all(who.map(async (one) => await one.post(`/messages/${id}/reactions`, { emoji_name: name })));
const upload = async (who: Connection, content: Buffer, name: string) =>
  `[${name}](${(await who.upload<Uploaded>('/user_uploads', picture(content, name))).url})`;

async function talkOfFirstLight({ olivia, adam, mona, alice, bob, carol }: Cast): Promise<void> {
  await say(
    bob,
    'spectrograph',
    'first light',
    'The new grating is in. Guiding is stable to **0.3″**, so here goes nothing.',
  );
  const sky = await say(
    bob,
    'spectrograph',
    'first light',
    `Ten minutes on the finder camera:\n${await upload(bob, await drawSky(), 'finder.png')}`,
  );
  await react(sky, 'heart_eyes', alice, carol, olivia);
  await react(sky, 'tada', mona, adam);
  const plan = await say(
    carol,
    'spectrograph',
    'first light',
    'Lovely! For the exposure time I used\n```math\n\\mathrm{SNR} = \\frac{S\\,t}{\\sqrt{S\\,t + n_{\\mathrm{pix}}\\,(B\\,t + D\\,t + R^2)}}\n```\nwhich gives 40 after about 20 minutes.',
  );
  await react(plan, '+1', bob, alice);
  await say(
    alice,
    'spectrograph',
    'first light',
    'The same in the pipeline, for @**Bob Lindqvist**:\n```python\ndef snr(t: float, s: float, b: float, d: float, r: float, n_pix: int = 12) -> float:\n    """Signal to noise after `t` seconds."""\n    noise = s * t + n_pix * (b * t + d * t + r**2)\n    return s * t / noise**0.5\n```',
  );
  const poll = await say(
    mona,
    'spectrograph',
    'first light',
    '/poll Which target tomorrow?\nNGC 7331\nM 33\nA standard star, please',
  );
  const vote = (who: Connection, key: string) =>
    who.post('/submessage', {
      message_id: poll,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: `canned,${key}`, vote: 1 }),
    });
  for (const [who, key] of [
    [alice, '0'],
    [bob, '0'],
    [olivia, '0'],
    [carol, '2'],
    [adam, '2'],
  ] as const)
    await vote(who, key);
}

async function talkOfTheRest({ olivia, adam, mona, alice, bob, carol }: Cast, stage: Stage): Promise<void> {
  await say(
    carol,
    'spectrograph',
    'wavelength calibration',
    `The argon lines after last night’s fit:\n${await upload(carol, await drawSpectrum(), 'argon.png')}`,
  );
  await say(
    alice,
    'spectrograph',
    'wavelength calibration',
    'Residuals are below `0.02 Å`. I will write it up.',
  );
  await say(
    adam,
    'dome',
    'shutter sticks',
    'It stuck again at 03:10. I greased the **east** rail; please listen for the squeak.',
  );
  await say(
    olivia,
    'papers',
    'referee report',
    '> The authors should explain the choice of the aperture.\n\nFair. Who has time before Thursday?',
  );
  await say(mona, 'general', 'welcome', 'Cake in the control room at four! :cake:');
  await alice.post('/mark_all_as_read');

  await say(
    olivia,
    'papers',
    'referee report',
    '@**Alice Chen** could you take section 3? I do the figures.',
  );
  await say(bob, 'papers', 'referee report', 'I can read it on Wednesday.');
  await say(adam, 'dome', 'shutter sticks', 'No squeak since noon. :crossed_fingers:');
  await say(carol, 'spectrograph', 'wavelength calibration', 'Neon agrees, so it is not the lamp.');
  await say(
    mona,
    'general',
    'night shifts in June',
    'The rota is up. Swap with each other, tell me afterwards.',
  );
  await bob.post('/messages', {
    type: 'direct',
    to: [stage.demos.demo('Alice Member').user_id],
    content: 'Are you up tonight? Seeing looks great after eleven.',
  });
  await carol.post('/drafts', { drafts: [] });
}
