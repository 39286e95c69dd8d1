import type { Samples } from '../integration.ts';

const zapier: Samples = { message: ['message', { topic: 'Orders', content: '**Mona** ordered two cups' }] };
const ifttt: Samples = { message: ['message', { topic: 'Weather', content: 'It rains. Have some tea.' }] };
const homeassistant: Samples = { message: ['message', { title: 'Garden', message: 'The gate is open' }] };

export const samples = { zapier, ifttt, homeassistant };
