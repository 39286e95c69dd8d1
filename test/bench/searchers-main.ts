import { text } from 'node:stream/consumers';

import { search } from './search-request.ts';
import { wordAt } from './searched-history.ts';

/** Whom searches are asked for, and of which node. */
interface Asked {
  port: number;
  authorizations: string[];
}

/** The most frequent words, one after the other. */
const words = 8;

// Searches as several people all the time until its input ends, and says then how often they were answered. It is a process
// of its own, so that whoever times something else meanwhile does not wait for what it reads.
// Safe: it is what the benchmark says.
const { port, authorizations } = JSON.parse(process.argv[2] ?? '') as Asked;
const searched = { answered: 0, refused: 0 };
for (const [searcher, authorization] of authorizations.entries()) void searchOn(authorization, searcher);
await text(process.stdin);
process.stdout.write(JSON.stringify(searched), () => process.exit());

async function searchOn(authorization: string, first: number): Promise<void> {
  for (let number = first; ; number += 1) {
    const reply = await search(port, authorization, [['search', wordAt(number % words)]]);
    searched[reply ? 'answered' : 'refused'] += 1;
  }
}
