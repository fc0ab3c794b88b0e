# Asks a service by the gem geocoder, and prints what it found as JSON. Arguments: host and port, a key, the questions.

require 'json'
require 'geocoder'

HOST, OWN_KEY, questions = ARGV
QUESTIONS = JSON.parse(questions)

def found(key, asked)
  Geocoder.configure(
    lookup: :nominatim, nominatim: { host: "#{HOST}/k/#{key}" }, use_https: false, always_raise: :all, timeout: 30
  )
  place = Geocoder.search(asked).first
  # Where there is none, it makes one without a name.
  place&.display_name && { text: place.display_name, lat: place.latitude, lon: place.longitude }
rescue StandardError => error
  { error: "#{error.class}: #{error.message}" }
end

def point(name)
  QUESTIONS[name].values_at('lat', 'lon')
end

puts JSON.generate(
  search: found(OWN_KEY, QUESTIONS['words']),
  reverse: found(OWN_KEY, point('house')),
  nothing: found(OWN_KEY, QUESTIONS['nonsense']),
  sea: found(OWN_KEY, point('sea')),
  wrongKey: found('wrong', QUESTIONS['words'])
)
