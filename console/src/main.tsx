// Where the page begins.

import { render } from 'preact';
import { Frame } from './frame/frame.tsx';
import { readSession } from './state/session.ts';
import './theme.css';

render(<Frame />, document.getElementById('app')!);
void readSession();
