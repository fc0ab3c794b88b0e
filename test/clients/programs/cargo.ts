// The crate geocoding, in a program of a few lines that cargo builds.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, Missing, orMissing, type Program, run } from '../program.ts';
import { askPlaces, type Finding } from '../questions.ts';

/** `main ENDPOINT search TEXT` and `main ENDPOINT reverse LAT LON` print a place. */
const MAIN = `use geocoding::{openstreetmap::OpenstreetmapParams, openstreetmap::OpenstreetmapResponse, Openstreetmap, Point, Reverse};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let client = Openstreetmap::new_with_endpoint(words[1].clone());
    if words[2] == "search" {
        let params = OpenstreetmapParams::new(&words[3]).with_addressdetails(true).build();
        let found: OpenstreetmapResponse<f64> = client.forward_full(&params).unwrap();
        for place in found.features.iter().take(1) {
            let (lon, lat) = place.geometry.coordinates;
            println!("{}\\n{}\\n{}", place.properties.display_name, lat, lon);
        }
    } else {
        let point = Point::new(words[4].parse::<f64>().unwrap(), words[3].parse::<f64>().unwrap());
        println!("{}", client.reverse(&point).unwrap().unwrap());
    }
}
`;

export const CARGO: readonly Program[] = [
  {
    name: 'geocoding (Rust)',
    async install(folder) {
      if (!isInstalled('cargo')) throw new Missing('there is no cargo (rustup.rs)');
      mkdirSync(join(folder, 'src'));
      const manifest = '[package]\nname = "asked"\nversion = "1.0.0"\nedition = "2021"\n';
      writeFileSync(join(folder, 'Cargo.toml'), manifest);
      writeFileSync(join(folder, 'src/main.rs'), MAIN);
      await orMissing(run('cargo', ['add', '--quiet', 'geocoding'], {}, folder));
      await orMissing(run('cargo', ['build', '--quiet'], {}, folder));
      const tree = await run('cargo', ['tree', '--depth', '1'], {}, folder);
      return /geocoding v(\S+)/.exec(tree)![1];
    },
    clients: {
      'geocoding (Rust)': ({ host, key }, folder) =>
        askPlaces(own => {
          const ask = async (...words: string[]): Promise<Finding> => {
            const printed = await run(join(folder, 'target/debug/asked'), [`http://${host}/k/${own}/`, ...words]);
            const [text, lat, lon] = printed.trim().split('\n');
            return text ? { text, ...(lat && { lat: Number(lat), lon: Number(lon) }) } : null;
          };
          return { search: text => ask('search', text), reverse: (lat, lon) => ask('reverse', `${lat}`, `${lon}`) };
        }, key),
    },
  },
];
