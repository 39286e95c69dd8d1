import { limits } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { integrations } from './index.ts';
import { deliveryOf } from './sample.ts';

test('integrations have names of their own, in their order', () => {
  const names = integrations.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].toSorted());
  expect(names.length).toBeGreaterThanOrEqual(30);
});

describe.each(integrations)('$displayName', (integration) => {
  const { documentation, events, samples, where } = integration;

  test('says where it is set up, and of which documentation its samples are', () => {
    expect(new URL(documentation).protocol).toBe('https:');
    expect(where).not.toBe('');
    for (const { description } of Object.values(events)) expect(description).toMatch(/^\p{Lu}.*[^.]$/u);
  });

  test('tells of a sample of every type of events', () => {
    const told = Object.values(samples).map((sample) => {
      const notice = integration.read(deliveryOf(integration, sample));
      if ('unsupported' in notice) throw new Error(`Nobody is told of a sample of ${notice.unsupported}.`);
      expect(notice.topic.trim()).not.toBe('');
      expect(notice.content.trim()).not.toBe('');
      expect(notice.content.length).toBeLessThan(limits.messageLength);
      expect(notice.event).toBe(sample[0]);
      return notice.event;
    });
    const silent = Object.keys(events).filter((event) => !told.includes(event));
    expect(silent).toEqual([]);
  });
});
