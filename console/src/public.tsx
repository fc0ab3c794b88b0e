// Where the page on the public address begins: three views, which ask the public routes.

import { render } from 'preact';
import { Frame } from './frame/frame.tsx';
import { askPublicly } from './state/public_service.ts';
import { readSession } from './state/session.ts';
import { PUBLIC_PAGES, PUBLIC_VIEWS } from './views/public.ts';
import './theme.css';

askPublicly();
render(<Frame views={PUBLIC_VIEWS} pages={PUBLIC_PAGES} />, document.getElementById('app')!);
void readSession();
