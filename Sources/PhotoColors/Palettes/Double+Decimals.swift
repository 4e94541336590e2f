extension Double {
    /// With exactly this many digits after the point, in every locale; halves are rounded up.
    func decimals(_ digits: Int) -> String {
        if digits == 0 { return String(Int(rounded())) }
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return "\(sign)\(scaled / scale).\(String(repeating: "0", count: digits - fraction.utf8.count))\(fraction)"
    }

    /// A fraction in percent, such as `32.10%`.
    var percent: String { (self * 100).decimals(2) + "%" }
}
