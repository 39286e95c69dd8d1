import assert from 'node:assert/strict';

import type { BrowserContext, Page } from 'playwright-core';

import { type Area, type Stage, signIn } from './area.ts';
import { askAs, channelId } from './as-user.ts';
import { type Executions, stripPolicies, watchExecutions } from './hostile/executions.ts';
import { attackAsMember } from './hostile/member.ts';
import { attackByFiles, attackByMessages, attackByPreviews } from './hostile/messages.ts';
import { attackOrganization } from './hostile/organization.ts';
import { type Corpus, canary, createCorpus } from './hostile/payloads.ts';
import { type Done, prod } from './hostile/prod.ts';
import { createPutting } from './hostile/put.ts';
import { show } from './settle.ts';
import { fragmentsOf } from './views.ts';

/** Payloads that at least have to be stored somewhere; with fewer, the corpus has lost its way in. */
const takenMin = 200;

interface Attacked {
  corpus: Corpus;
  /** Fragments of hostile places. */
  narrows: string[];
  /** Addresses of the server that people open by themselves: files, and pages of invitations. */
  addresses: string[];
}

async function attack(stage: Stage): Promise<Attacked> {
  const { demos, saw } = stage;
  const corpus = createCorpus();
  const putting = createPutting(corpus);
  const attackers = { owner: askAs(stage, 'Olivia Owner'), member: askAs(stage, 'Alice Member') };
  const { user_id: ownerId } = demos.demo('Olivia Owner');
  const { user_id: memberId } = demos.demo('Alice Member');
  await attackOrganization(putting, attackers);
  await attackByPreviews(putting, attackers, demos);
  await attackByMessages(putting, attackers, ownerId);
  const files = await attackByFiles(putting, attackers);
  await attackAsMember(putting, attackers);
  const { invite_link: invitation } = await attackers.owner.post<{ invite_link: string }>(
    '/invites/multiuse',
  );

  const { taken, refused, reasons } = putting.tally;
  const total = (map: Map<string, number>) => [...map.values()].reduce((sum, count) => sum + count, 0);
  const closed = [...reasons].filter(([place]) => !taken.has(place));
  assert.ok(total(taken) >= takenMin, `only ${total(taken)} payloads were taken`);
  saw(`${total(taken)} payloads are stored in ${taken.size} places, ${total(refused)} were refused`);
  for (const [place, reason] of closed) saw(`none is taken as ${place}: ${reason}`);

  const general = await channelId(attackers.owner, 'general');
  const { streams } = await attackers.owner.get<{ streams: { stream_id: number; name: string }[] }>(
    '/streams',
  );
  const hostileChannel = streams.find(({ name }) => name.includes('onerror'));
  const channel = `narrow/channel/${general}-general`;
  const narrows = [
    `${channel}/topic/hostile`,
    channel,
    `${channel}/topic/.3Cimg.20src.3Dx.20onerror.3Dalert.280.29.3E`,
    `narrow/channel/${hostileChannel?.stream_id ?? general}-x`,
    `narrow/dm/${memberId}`,
    'narrow/is/dm',
    'narrow/search/alert',
    'narrow/search/.3Cimg.20src.3Dx.20onerror.3Dalert.281.29.3E',
    'narrow/.22.3E.3Csvg.20onload.3Dalert.282.29.3E/javascript.3Aalert.283.29',
  ];
  const addresses = [...files, invitation, '/login/'];
  return { corpus, narrows, addresses };
}

/** Waits until a picture that does not exist has failed, as those of payloads before it have. */
const failPicture = async (page: Page) => {
  await page.evaluate(async () => {
    const picture = new Image();
    picture.src = '/no-such-picture';
    await picture.decode().catch(() => undefined);
  });
};

/** Opens everything in one browser profile, as the owner, who sees most. Answers with how much it was. */
async function tour(stage: Stage, { narrows, addresses }: Attacked, page: Page) {
  const fragments = [...(await fragmentsOf(page, narrows)), '<img src=x onerror=alert(4)>'];
  const done: Done = { pressed: new Set(), typed: new Set() };
  for (const fragment of fragments) {
    await show(page, fragment);
    await failPicture(page);
    await prod(page, done);
  }
  for (const address of addresses) {
    const file = await page.context().newPage();
    // What is only sent to be kept is no page.
    await file.goto(new URL(address, stage.address).href).catch(() => undefined);
    await file.close();
  }
  await failPicture(page);
  return { views: fragments.length, pressed: done.pressed.size, typed: done.typed.size };
}

async function proveMarkers(context: BrowserContext, { all }: Executions, address: string): Promise<void> {
  const page = await context.newPage();
  await page.route(`${address}/raw`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<img src=x onerror=alert(90001)><script src="https://${canary}/ran/90002"></script>`,
    }),
  );
  await page.goto(`${address}/raw`);
  await page.waitForLoadState('networkidle');
  await page.close();
  assert.deepEqual(
    all.map(({ id }) => id).sort(),
    ['90001', '90002'],
    'a payload in a page without any wall is seen',
  );
  all.length = 0;
}

/** The policy stands in the way of a script inside the page, and without it, nothing does. */
async function proveWall(page: Page, { all }: Executions, hasPolicy: boolean): Promise<void> {
  await page.evaluate(() => {
    const script = document.createElement('script');
    try {
      script.textContent = 'alert(90003)';
    } catch {
      return;
    }
    document.head.append(script);
  });
  await page.evaluate(() => undefined);
  assert.deepEqual(
    all.map(({ id }) => id),
    hasPolicy ? [] : ['90003'],
  );
  all.length = 0;
}

/** Content that would run scripts, wherever people can put some: nothing runs, with the page's policy or without it. */
export const hostile: Area = {
  name: 'hostile',
  async check(stage) {
    const attacked = await attack(stage);
    for (const hasPolicy of [true, false]) {
      await using owner = await stage.open(null);
      const { page } = owner;
      const context = page.context();
      const executions = await watchExecutions(context);
      await proveMarkers(context, executions, stage.address);
      if (!hasPolicy) await stripPolicies(context, new URL(stage.address).origin);
      await page.reload();
      await signIn(stage, owner, 'Olivia Owner');
      await proveWall(page, executions, hasPolicy);
      const { views, pressed, typed } = await tour(stage, attacked, page);
      const ran = executions.all.map(
        ({ id, where }) => `${attacked.corpus.placeOf(Number(id))} (${id}) at ${where}`,
      );
      const refusals = owner.problems.filter((problem) => problem.includes('Content Security Policy'));
      for (const refusal of new Set(refusals)) stage.saw(`refused by the policy: ${refusal}`);
      assert.deepEqual(ran, [], `executions ${hasPolicy ? 'under the policy' : 'without a policy'}`);
      stage.saw(
        `${views} views and ${attacked.addresses.length} files and pages ${
          hasPolicy ? 'under' : 'without'
        } the policy, ${pressed} things pressed, ${typed} fields typed into: 0 executions`,
      );
    }
  },
};
