import type { Cluster } from '@parley/infra';

import { sendBacklog, uploadFiles } from './ask.ts';
import type { Orders, QueueOrder } from './clients/messages.ts';
import type { Extent } from './extent.ts';
import type { Organization } from './organizations.ts';
import { openQueues } from './queues.ts';
import type { Population, Scenario } from './scenarios.ts';

/** Long messages that wait for clients that read slowly. */
const backlogMessages = 400;

interface Preparation {
  scenario: Scenario;
  pollers: number;
  extent: Extent;
  readonly say: (line: string) => void;
}

/** Files, queues and what waits in them; and what each process of clients is to do. */
export async function prepareClients(
  cluster: Cluster,
  { scenario, pollers, extent, say }: Preparation,
  { accounts, active, hasOneSender = false }: Population,
  organizations: readonly Organization[],
  addresses: readonly string[],
): Promise<Orders[]> {
  const { abandoned = 0, slowReaders = 0, returns = false } = scenario;
  const files = await uploadFiles(cluster.baseUrl, organizations);
  say(`${pollers + abandoned + slowReaders} queues …`);
  const [first] = organizations;
  if (!first) throw new Error('There is no organization.');
  // These are the accounts behind those that have clients.
  const others = Array.from(
    { length: abandoned + slowReaders },
    (_, index) => active + (index % (accounts - active)),
  );
  const otherQueues = await openQueues(cluster, organizations, [{ organization: 0, accounts: others }]);
  if (slowReaders > 0) await sendBacklog(cluster.baseUrl, first, backlogMessages);
  const wanted = organizations.map((_, organization) => ({
    organization,
    accounts: Array.from(
      {
        length:
          Math.floor((pollers * (organization + 1)) / organizations.length) -
          Math.floor((pollers * organization) / organizations.length),
      },
      (_none, index) => index % active,
    ),
  }));
  const queues: QueueOrder[] = returns
    ? wanted.flatMap(({ organization, accounts: some }) =>
        some.map((account) => ({ organization, account, queueId: null })),
      )
    : await openQueues(cluster, organizations, wanted);
  const share = (all: readonly QueueOrder[], process: number) =>
    all.filter((_, index) => index % addresses.length === process);
  const asked = scenario.asked ?? organizations.length;
  return addresses.map((address, process) => {
    const clients = {
      pollers: share(queues, process),
      abandoned: share(otherQueues.slice(0, abandoned), process),
      slowReaders: share(otherQueues.slice(abandoned), process),
    };
    const all = [...clients.pollers, ...clients.abandoned, ...clients.slowReaders];
    return {
      number: process + 1,
      processes: addresses.length,
      port: Number(new URL(cluster.baseUrl).port),
      address,
      organizations: asFarAsNeeded(organizations, asked, all),
      asked,
      files,
      hasOneSender,
      arePatient: 'sends' in extent,
      ...clients,
    };
  });
}

const unneeded = { id: 0, email: '', authorization: '' };

/** Of organizations that nobody asks for anything, a process of clients needs only the accounts of its clients. */
function asFarAsNeeded(
  organizations: readonly Organization[],
  asked: number,
  clients: readonly QueueOrder[],
): Organization[] {
  const needed = new Map<number, Set<number>>();
  for (const { organization, account } of clients) {
    const accounts = needed.get(organization) ?? new Set();
    needed.set(organization, accounts.add(account));
  }
  return organizations.map((organization, number) => {
    if (number < asked) return organization;
    const own = needed.get(number);
    const accounts = organization.accounts.map((account, index) => (own?.has(index) ? account : unneeded));
    return { ...organization, accounts, channels: [] };
  });
}
