// The package comes without types; these are of what its test uses.

declare module 'node-geocoder' {
  type Found = Record<string, string | number | undefined>;
  interface Client {
    geocode(asked: string | Record<string, string | number>): Promise<Found[]>;
    reverse(point: { lat: number; lon: number }): Promise<Found[]>;
  }
  export default function nodeGeocoder(options: { provider: string; osmServer: string }): Client;
}
