import { describe, expect, test } from 'vitest';

import { realm } from '../support/index.ts';

describe('POST /zcommand', () => {
  test('changes what the command says, and tells the caller’s clients', async () => {
    const { alice } = await realm();
    const phone = await alice.listen({ event_types: ['user_settings'] });
    const run = (command: string) => alice.post('/zcommand', { command });
    for (const [command, property, value] of [
      ['/dark', 'color_scheme', 2],
      ['/light', 'color_scheme', 3],
      ['/night', 'color_scheme', 2],
      ['/day', 'color_scheme', 3],
      ['/fluid-width', 'fluid_layout_width', true],
      ['/fixed-width', 'fluid_layout_width', false],
    ] as const) {
      expect(await run(command), command).toEqual({ result: 'success', msg: expect.stringMatching(/./) });
      expect(await phone.hears()).toMatchObject([{ type: 'user_settings', op: 'update', property, value }]);
    }
    expect(await run('/ping')).toEqual({ result: 'success', msg: '' });
    expect(await phone.hears()).toEqual([]);
  });

  test.each([
    ['dark', 'A command begins with a slash.'],
    ['', 'A command begins with a slash.'],
    ['/nothing', "There is no command 'nothing'."],
    ['/constructor', "There is no command 'constructor'."],
  ])('refuses %j', async (command, msg) => {
    const { alice } = await realm();
    expect(await alice.post('/zcommand', { command })).toEqual({
      result: 'error',
      code: 'BAD_REQUEST',
      msg,
    });
  });
});

describe('services that the server is not configured for', () => {
  test('say so', async () => {
    const { alice } = await realm();
    const meeting = { meeting_name: 'x', voice_only: true };
    for (const reply of [
      await alice.post('/calls/zoom/create', { is_video_call: true }),
      await alice.get('/calls/bigbluebutton/create', meeting),
      await alice.get('/messages/summary', { narrow: [['channel', 'news']] }),
    ])
      expect(reply).toMatchObject({
        code: 'BAD_REQUEST',
        msg: expect.stringMatching(/not set up|cannot/),
      });
  });
});

describe('GET /compatibility', () => {
  test('knows programs that are too old, and wants to know which one asks', async () => {
    const { alice } = await realm();
    const ask = async (userAgent?: string) =>
      (await alice.ask('GET', '/compatibility', {}, { authorization: null, ...(userAgent && { userAgent }) }))
        .body;
    expect(await ask('ZulipMobile/30.0 (Android 14)')).toEqual({ result: 'success', msg: '' });
    expect(await ask('ZulipInvalid/5.0')).toMatchObject({
      msg: 'This version of the app is too old. Please update it.',
    });
    expect(await ask()).toMatchObject({ msg: 'The User-Agent header is missing.' });
  });
});

describe('GET /realm/subdomain/{subdomain}', () => {
  test('says whether it is free, to anyone', async () => {
    const { alice, realm: home } = await realm();
    const ask = async (name: string) =>
      (
        await alice.ask(
          'GET',
          `/realm/subdomain/${encodeURIComponent(name)}`,
          {},
          { authorization: null, host: 'localhost' },
        )
      ).body;
    expect(await ask('nobody-has-it')).toEqual({ result: 'success', msg: 'available' });
    for (const [name, msg] of [
      [home.name, /already in use/],
      ['ab', /at least 3/],
      ['Abc', /lowercase/],
      ['admin', /reserved/],
      ['a\0b', /lowercase/],
    ] as const)
      expect(await ask(name), name).toEqual({ result: 'success', msg: expect.stringMatching(msg) });
  });
});
