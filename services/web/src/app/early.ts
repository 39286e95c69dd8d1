import { askEarly } from '../data/session/early-requests.ts';

// This stands in the page itself: it runs before anything else has been fetched.
document.documentElement.classList.toggle('has-session', askEarly(location.hash));
