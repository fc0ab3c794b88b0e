// Asks a service by Google's client for Java, and prints what it found as JSON. Arguments: host and port, a key, and the
// questions.

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.maps.GeoApiContext;
import com.google.maps.GeocodingApi;
import com.google.maps.model.GeocodingResult;
import com.google.maps.model.LatLng;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

public class JavaClient {
    public static void main(String[] arguments) {
        JsonObject questions = new Gson().fromJson(arguments[2], JsonObject.class);
        String words = questions.get("words").getAsString();
        GeoApiContext own = contextOf(arguments[0], arguments[1]);
        GeoApiContext refused = contextOf(arguments[0], "wrong");
        Map<String, Object> found = new HashMap<>();
        found.put("search", foundBy(() -> GeocodingApi.geocode(own, words).await()));
        found.put("reverse", foundBy(() -> GeocodingApi.reverseGeocode(own, pointOf(questions, "house")).await()));
        found.put("nothing", foundBy(() -> GeocodingApi.geocode(own, questions.get("nonsense").getAsString()).await()));
        found.put("sea", foundBy(() -> GeocodingApi.reverseGeocode(own, pointOf(questions, "sea")).await()));
        found.put("wrongKey", foundBy(() -> GeocodingApi.geocode(refused, words).await()));
        System.out.println(new Gson().newBuilder().serializeNulls().create().toJson(found));
        own.shutdown();
        refused.shutdown();
    }

    private static GeoApiContext contextOf(String host, String key) {
        return new GeoApiContext.Builder().apiKey("AIzaUnused").baseUrlOverride("http://" + host + "/k/" + key).build();
    }

    private static LatLng pointOf(JsonObject questions, String name) {
        JsonObject point = questions.getAsJsonObject(name);
        return new LatLng(point.get("lat").getAsDouble(), point.get("lon").getAsDouble());
    }

    private static Map<String, Object> foundBy(Callable<GeocodingResult[]> ask) {
        try {
            GeocodingResult[] results = ask.call();
            if (results.length == 0) return null;
            LatLng at = results[0].geometry.location;
            return Map.of("text", results[0].formattedAddress, "lat", at.lat, "lon", at.lng);
        } catch (Exception error) {
            return Map.of("error", error.toString());
        }
    }
}
