# Asks a service by Geo::Coder::OSM, and prints what it found as JSON. Arguments: host and port, a key, the questions.

use strict;
use warnings;
use Geo::Coder::OSM;
use JSON;

my ($host, $own_key, $questions) = @ARGV;
$questions = decode_json($questions);

# Of an answer, and of none: the status alone tells an error from nothing found.
sub found {
    my ($coder, $place) = @_;
    return { text => $place->{display_name}, lat => $place->{lat} + 0, lon => $place->{lon} + 0 } if $place && $place->{lat};
    return $coder->response->is_success ? undef : { error => $coder->response->status_line };
}

sub search {
    my ($key, $text) = @_;
    $Geo::Coder::OSM::SOURCES{osm} = "http://$host/k/$key";
    my $coder = Geo::Coder::OSM->new;
    return found($coder, scalar $coder->geocode(location => $text));
}

sub reverse_search {
    my ($key, $point) = @_;
    $Geo::Coder::OSM::SOURCES{osm} = "http://$host/k/$key";
    my $coder = Geo::Coder::OSM->new;
    return found($coder, scalar $coder->reverse_geocode(lat => $point->{lat}, lon => $point->{lon}));
}

print encode_json({
    search   => search($own_key, $questions->{words}),
    reverse  => reverse_search($own_key, $questions->{house}),
    nothing  => search($own_key, $questions->{nonsense}),
    sea      => reverse_search($own_key, $questions->{sea}),
    wrongKey => search('wrong', $questions->{words}),
});
