// Google's client for Java, from Maven's registry. What it is asked is in JavaClient.java, which java runs as it is.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, Missing, orMissing, type Program, run } from '../program.ts';
import { QUESTIONS } from '../questions.ts';

const SOURCE = join(import.meta.dirname, 'JavaClient.java');
const NAME = 'google-maps-services';
/** The newest version of it, and what else it needs. */
const PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>asked</groupId><artifactId>asked</artifactId><version>1</version><dependencies><dependency>
<groupId>com.google.maps</groupId><artifactId>${NAME}</artifactId><version>[2,)</version>
</dependency></dependencies></project>`;

export const JAVA: readonly Program[] = [
  {
    name: `${NAME} (Java)`,
    async install(folder) {
      if (!isInstalled('mvn') || !isInstalled('java'))
        throw new Missing('there is no maven (apt-get install maven default-jdk-headless)');
      writeFileSync(join(folder, 'pom.xml'), PROJECT);
      await orMissing(run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], {}, folder));
      const archive = readdirSync(join(folder, 'lib')).find(name => name.startsWith(NAME))!;
      return archive.slice(NAME.length + 1, -'.jar'.length);
    },
    clients: {
      [`${NAME} (Java): geocode`]: async ({ host, key }, folder) =>
        JSON.parse(await run('java', ['-cp', join(folder, 'lib/*'), SOURCE, host, key, JSON.stringify(QUESTIONS)])),
    },
  },
];
