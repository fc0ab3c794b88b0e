// Programs as Debian packs them: unpacked into a folder, with what they need of other packages, without installing
// anything on the machine.

import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, Missing, orMissing, type Program, run } from '../program.ts';
import { QUESTIONS } from '../questions.ts';

const PERL_CLIENT = join(import.meta.dirname, 'perl_client.pl');
const RUBY_CLIENT = join(import.meta.dirname, 'ruby_client.rb');
const MACHINE = `${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`;

/** Unpacks packages, with what of their dependencies the machine lacks. @returns the version of the first */
export async function unpackDebian(folder: string, ...names: string[]): Promise<string> {
  if (!isInstalled('apt-get')) throw new Missing('there is no apt-get');
  const plan = await orMissing(run('apt-get', ['install', '--simulate', '--no-install-recommends', ...names]));
  const needed = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name);
  const archives = join(folder, 'archives');
  mkdirSync(archives);
  if (needed.length > 0) await orMissing(run('apt-get', ['download', ...needed], {}, archives));
  await run('sh', ['-c', 'for each in *.deb; do dpkg -x "$each" "$0"; done', folder], {}, archives);
  return /Candidate: (.*)/.exec(await run('apt-cache', ['policy', names[0]]))![1];
}

/** The environment in which unpacked programs find each other and their libraries. */
export function unpackedIn(folder: string): Record<string, string> {
  return {
    PATH: `${join(folder, 'usr/bin')}:${process.env.PATH}`,
    LD_LIBRARY_PATH: ['usr/lib', 'lib'].map(path => join(folder, path, MACHINE)).join(':'),
    PERL5LIB: ['usr/share/perl5', `usr/lib/${MACHINE}/perl5`].map(path => join(folder, path)).join(':'),
  };
}

export const DEBIAN: readonly Program[] = [
  {
    name: 'Geo::Coder::OSM',
    install: folder => unpackDebian(folder, 'libgeo-coder-osm-perl'),
    clients: {
      'Geo::Coder::OSM': async ({ host, key }, folder) =>
        JSON.parse(await run('perl', [PERL_CLIENT, host, key, JSON.stringify(QUESTIONS)], unpackedIn(folder))),
    },
  },
  {
    name: 'geocoder (Ruby)',
    install: async folder => (await unpackDebian(folder, 'ruby-geocoder', 'ruby')).replace(/-\d+$/, ''),
    clients: {
      'geocoder (Ruby): nominatim': async ({ host, key }, folder) => {
        // A Ruby that is unpacked does not look for its libraries in the folder.
        const libraries = ['usr/lib/ruby/*', `usr/lib/${MACHINE}/ruby/{[0-9]*,vendor_ruby/*}`];
        const RUBYLIB = libraries.flatMap(pattern => globSync(join(folder, pattern))).join(':');
        const ruby = [...globSync(join(folder, 'usr/bin/ruby[0-9]*')), 'ruby'][0];
        const words = [RUBY_CLIENT, host, key, JSON.stringify(QUESTIONS)];
        return JSON.parse(await run(ruby, words, { ...unpackedIn(folder), RUBYLIB }));
      },
    },
  },
  {
    name: 'OwnTracks Recorder',
    install: folder => unpackDebian(folder, 'ot-recorder'),
    clients: {},
  },
];
